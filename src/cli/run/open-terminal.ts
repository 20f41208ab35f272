import { ReadStream, WriteStream } from 'node:tty'
import { checkPty } from '../../exec/pty/check-pty.ts'
import { openTerminal } from '../../exec/pty/terminal.ts'
import type { RunSpecsInput } from '../../vitest/run-specs.ts'
import { SetUpError } from '../set-up-error.ts'
import type { Surroundings } from '../surroundings.ts'

/**
 * The terminal in which agents are to show their own interface.
 *
 * @throws {SetUpError} where standard input and output are none.
 * @throws MdtestError where no pseudoterminal can be opened.
 */
export async function openAgentTerminal({
  stdin,
  stdout,
  stderr,
  env,
}: Surroundings): Promise<NonNullable<RunSpecsInput['terminal']>> {
  if (!(stdin instanceof ReadStream && stdout instanceof WriteStream)) {
    throw new SetUpError(
      '`--interactive` needs a terminal as standard input and output; leave it out to run without the interface.',
    )
  }
  await checkPty()
  return {
    terminal: openTerminal({ stdin, stdout, stderr }, env.TERM ?? 'xterm-256color'),
    // As if Ctrl-C had been pressed outside of the agent.
    onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  }
}
