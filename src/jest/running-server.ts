import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createBirpc } from 'birpc'
import { MdtestError } from '../system/mdtest-error.ts'
import { flagsWithoutDebugger } from '../system/refuse-debugger.ts'
import { addressVariable, type ServerFunctions, type ServerSettings } from './protocol.ts'

/** The server of a run, in a process of its own. */
export interface RunningServer {
  /** Ends it; the last lines of the run. */
  close(): Promise<readonly string[]>
}

/**
 * Starts the server and tells Jest's workers where it is: they get the environment of the main process.
 *
 * @param env of the main process
 */
export async function startServer(settings: ServerSettings, env: NodeJS.ProcessEnv): Promise<RunningServer> {
  delete env[addressVariable]
  const child = fork(createRequire(import.meta.url).resolve('#jest-server'), [], {
    env: { ...env },
    execArgv: [...flagsWithoutDebugger()],
    // A signal to all of Jest's group must not end it before it has cleaned up: our end is its sign.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const server = createBirpc<ServerFunctions, object>(
    {},
    {
      post: (message) => void child.send(message),
      on: (receive) => void child.on('message', receive),
      timeout: -1,
    },
  )
  const address = await Promise.race([server.start(settings), endOf(child)])
  env[addressVariable] = JSON.stringify(address)
  // It must not keep Jest from ending, and ends with it.
  child.unref()
  child.channel?.unref()
  return {
    async close() {
      delete env[addressVariable]
      if (child.exitCode !== null || child.signalCode !== null) return []
      child.ref()
      child.channel?.ref()
      const lines = await Promise.race([server.close(), endOf(child)])
      child.disconnect()
      await exited
      return lines
    },
  }
}

async function endOf(child: ChildProcess): Promise<never> {
  const [exitCode, signal]: unknown[] = await once(child, 'exit')
  throw new MdtestError('HOST_ENDED', `The mdtest process beside Jest ended (${String(signal ?? exitCode)}).`)
}
