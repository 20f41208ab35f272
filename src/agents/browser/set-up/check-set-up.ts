import { MdtestError } from '../../../system/mdtest-error.ts'
import type { BrowserSettings } from '../browser-settings.ts'
import { createModel } from '../create-model.ts'
import { findChrome, usualPlaces, installChrome, type InstallContext } from './find-chrome.ts'
import { loadPeer } from '../../load-peer.ts'
import { playwrightProgram } from '../playwright-server.ts'
import { resolveModel, type ModelChoice } from '../resolve-model.ts'
import { once } from 'node:events'
import { connect } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/** What browser specs are carried out with. */
export interface BrowserSetUp {
  readonly model: ModelChoice
  /** Program of Chrome or Chromium. */
  readonly executablePath: string
}

/**
 * Makes sure that a spec of the agent `browser` has all that it needs: address, model, key, packages and a browser.
 * @param env with what `.env` of the suite root says
 * @throws {MdtestError} that names what is missing and what to do.
 */
export async function checkSetUp(
  settings: BrowserSettings,
  env: Environment,
  context: InstallContext,
): Promise<BrowserSetUp> {
  if (settings.baseUrl === undefined) {
    throw new MdtestError('OPTION_INVALID', 'Browser specs need the address of the web application.', {
      hint: 'Give it with `--base-url`, with `base-url` in the front matter or with the option `baseUrl`.',
    })
  }
  if (settings.isHeaded) await checkDisplay(env)
  const model = resolveModel(settings, env)
  await loadPeer('ai', () => import('ai'))
  await createModel(model)
  return { model, executablePath: await findBrowser(env, context) }
}

/**
 * Absolute path of Chrome or Chromium; where the system has none, of Playwright's, which is installed if need be.
 * @throws {MdtestError} where there is none, or no package to drive it with.
 */
export async function findBrowser(env: Environment, context: InstallContext): Promise<string> {
  playwrightProgram()
  return findProgram(env, context)
}

/**
 * The same for whoever drives it without that package.
 * @throws {MdtestError} where there is none.
 */
export async function findProgram(env: Environment, context: InstallContext): Promise<string> {
  return findChrome({ usual: usualPlaces(env), path: env.PATH ?? '' }) ?? (await installChrome(env, context))
}

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
