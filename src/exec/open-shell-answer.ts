import type { ShellStatus } from './open-shell-result.ts'
import { describeEnd, type ShellAnswer } from './open-shell-wait.ts'

/** What became of a command, by what its shell said. */
export function judgeAnswer({ reason, reports, end }: ShellAnswer, timeoutMs: number): ShellStatus {
  if (reason === 'timeout') return { status: 'timeout', timeoutMs }
  if (reports.includes('refused'))
    return { status: 'refused', message: 'The directory or a variable for this run could not be set.' }
  if (!reports.includes('open'))
    return { status: 'lost', message: `The command could not be started: ${describeEnd({ reason, end })}.` }
  const done = reports.find((words) => words.startsWith('done '))
  if (done !== undefined) return { status: 'done', exitCode: Number(done.slice('done '.length)) }
  if (reports.includes('end') || reports.includes('left')) return { status: 'refused', message: leftMessage }
  if (typeof end?.exitCode === 'number') return { status: 'done', exitCode: end.exitCode }
  return { status: 'lost', message: `The shell was ended by ${end?.signal ?? 'an unknown cause'}.` }
}

const leftMessage =
  '`break` or `continue` outside of a loop left the code, the rest did not run. End a block early with `exit` or an `if`.'
