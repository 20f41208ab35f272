import type { ShellStatus } from './open-shell-result.ts'
import { describeEnd, type ShellAnswer } from './open-shell-wait.ts'

/**
 * What became of a command, by what its shell said.
 *
 * @param endLine line of the code at which the shell has ended, where it has
 */
export function judgeAnswer(
  { reason, reports, end }: ShellAnswer,
  timeoutMs: number,
  endLine: number | undefined,
): ShellStatus {
  if (reason === 'timeout') return { status: 'timeout', timeoutMs }
  if (reports.includes('refused'))
    return { status: 'refused', message: 'The directory or a variable for this run could not be set.' }
  if (!reports.includes('open'))
    return { status: 'lost', message: `The command could not be started: ${describeEnd({ reason, end })}.` }
  const done = reports.find((words) => words.startsWith('done '))
  if (done !== undefined) {
    const [exitCode = 0, failedLine] = done.slice('done '.length).split(' ').map(Number)
    return toDone(exitCode, failedLine)
  }
  if (reports.includes('end') || reports.includes('left')) return { status: 'refused', message: leftMessage }
  if (typeof end?.exitCode === 'number') return toDone(end.exitCode, endLine)
  const signal = end?.signal ?? undefined
  return {
    status: 'lost',
    message: `The shell was ended by ${signal ?? 'an unknown cause'}.`,
    ...(signal !== undefined && { signal }),
  }
}

function toDone(exitCode: number, failedLine: number | undefined): ShellStatus {
  return { status: 'done', exitCode, ...(failedLine !== undefined && { failedLine }) }
}

const leftMessage =
  '`break` or `continue` outside of a loop left the code, the rest did not run. End a block early with `exit` or an `if`.'
