import { once } from 'node:events'
import { connect } from 'node:net'
import { MdtestError } from '../../../system/mdtest-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Makes sure that there is a screen to show a browser on. One of another machine is taken on trust, and so is Wayland.
 * @throws {MdtestError} `OPTION_INVALID` where there is none.
 */
export async function checkDisplay({ DISPLAY: display, WAYLAND_DISPLAY: wayland }: Environment): Promise<void> {
  if (process.platform !== 'linux' || wayland) return
  if (!display) throw noDisplay('There is no display to show the browser on.')
  const number = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display)?.[1]
  if (number === undefined) return
  const socket = `/tmp/.X11-unix/X${number}`
  // The second one is no file: it is reached from containers as well.
  if ((await answers(socket)) || (await answers(`\0${socket}`))) return
  throw noDisplay(`The display \`${display}\`, which \`DISPLAY\` names, cannot be reached.`)
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Nobody listens there.
    return false
  } finally {
    socket.destroy()
  }
}

function noDisplay(message: string): MdtestError {
  return new MdtestError('OPTION_INVALID', message, {
    hint: 'Leave out `--headed` or the option `headed`, or set `DISPLAY`, as `xvfb-run` does.',
  })
}
