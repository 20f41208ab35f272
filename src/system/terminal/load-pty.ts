import type * as Pty from '@lydell/node-pty'
import { MdtestError } from '../mdtest-error.ts'

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
