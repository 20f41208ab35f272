import { MdtestError } from '../mdtest-error.ts'
import { messageOf } from '../error-facts.ts'
import type * as Pty from '@lydell/node-pty'

/**
 * Loads the package that opens pseudoterminals, which is optional: nothing else needs it.
 *
 * @throws MdtestError `EXEC_PTY_MISSING` where it is not installed or has no program for this system.
 */
export async function loadPty(): Promise<typeof Pty> {
  try {
    return await import('@lydell/node-pty')
  } catch (error: unknown) {
    throw new MdtestError(
      'EXEC_PTY_MISSING',
      "The agent's own interface needs the package `@lydell/node-pty`, which is not installed or does not know this system.",
      { hint: 'Install with optional dependencies (no `--omit=optional`), or run with `--headless`.', cause: error },
    )
  }
}

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
