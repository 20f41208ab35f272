import { ReadStream, WriteStream } from 'node:tty'
import { detectAgent } from 'std-env'
import type { CliAgent } from '../../agents/agent.ts'
import { openTerminal } from '../../system/terminal/terminal.ts'
import type { RunTerminal } from '../../vitest/plugin/run-specs.ts'
import { orNothing } from '../../system/error-facts.ts'
import { SetUpError, type CliContext } from '../common/cli.ts'
import { execFileSync } from 'node:child_process'
import { checkPty } from '../../system/terminal/run-in-terminal.ts'

/** Returns the terminal for agents' interfaces if a person uses it. @throws MdtestError without pseudoterminals */
export async function openAttendedTerminal(
  agents: readonly CliAgent[],
  cli: CliContext,
): Promise<RunTerminal | undefined> {
  if (!agents.some((agent) => agent.interface) || !isAttended(cli)) return undefined
  const caller = detectAgent().name
  if (caller === undefined) return openAgentTerminal(cli)
  const why = `because \`${caller}\` seems to have started this. \`-i\` shows it.`
  cli.stderr.write(`mdtest: agents work without their own interface, ${why}\n`)
  return undefined
}

/** Opens the terminal for `--interactive`. @throws {SetUpError} if standard input or output is no terminal */
export async function openAgentTerminal({ stdin, stdout, stderr, env }: CliContext): Promise<RunTerminal> {
  if (!(stdin instanceof ReadStream && stdout instanceof WriteStream)) {
    throw new SetUpError(
      '`--interactive` needs a terminal as standard input and output; leave it out to run without the interface.',
    )
  }
  await checkPty()
  return {
    terminal: openTerminal({ stdin, stdout, stderr }, env.TERM ?? 'xterm-256color'),
    // An interrupt in the agent's interface ends the run like Ctrl-C in a shell.
    onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  }
}

function isAttended({ stdin, stdout, env }: CliContext): boolean {
  const isTerminal = stdin instanceof ReadStream && stdout instanceof WriteStream
  return isTerminal && !env.CI && env.TERM !== 'dumb' && isInForeground()
}

/** Whether this process may change the terminal. The system stops a background job that tries to. */
function isInForeground(): boolean {
  const ask = ['-o', 'stat=', '-p', String(process.pid)]
  return orNothing(() => execFileSync('ps', ask, { encoding: 'utf8' }))?.includes('+') ?? true
}
