import { MdtestError } from '../mdtest-error.ts'
import { loadPty } from './load-pty.ts'
import { messageOf } from '../error-facts.ts'

/**
 * Makes sure that a pseudoterminal can be opened, by opening one.
 *
 * @throws MdtestError `EXEC_PTY_MISSING` or `EXEC_PTY_FAILED`
 */
export async function checkPty(): Promise<void> {
  const { spawn } = await loadPty()
  try {
    const pty = spawn('true', [], { cwd: '/', env: { PATH: '/usr/bin:/bin' } })
    await new Promise<void>((resolve) => pty.onExit(() => resolve()))
  } catch (error: unknown) {
    const why = messageOf(error)
    throw new MdtestError('EXEC_PTY_FAILED', `The system gives no pseudoterminal for the agent's interface (${why}).`, {
      hint: 'Run with `--headless`, or make `/dev/ptmx` and `/dev/pts` usable.',
      cause: error,
    })
  }
}
