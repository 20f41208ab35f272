import { randomBytes } from 'node:crypto'
import { MdtestError } from '../../mdtest-error.ts'

/**
 * Environment variable that every child carries. A process that left its group and lost its parent is still
 * found by it, as long as it keeps its environment.
 */
export const marksVariable = 'MDTEST_MARKS'

/** A mark that nothing else carries: `mdtest-` and 16 hexadecimal digits. */
export function createMark(): string {
  return `mdtest-${randomBytes(8).toString('hex')}`
}

/**
 * An environment for a child: `env` with `marks` added to `MDTEST_MARKS`, after those that are there already,
 * so that an outer mdtest finds the children of an inner one.
 * @throws MdtestError `EXEC_INVALID_MARK` when a mark is empty or holds `:` or NUL.
 */
export function withMarks(env: Readonly<Record<string, string>>, marks: readonly string[]): Record<string, string> {
  for (const mark of marks) assertMark(mark)
  const inherited = env[marksVariable]
  const all = inherited === undefined || inherited === '' ? marks : [inherited, ...marks]
  return { ...env, [marksVariable]: all.join(':') }
}

/** Whether an environment block as the kernel shows it (`NAME=value`, each ended by NUL) carries `mark`. */
export function hasMark(environment: Buffer, mark: string): boolean {
  return mark !== '' && environment.includes(mark) && marksIn(environment).includes(mark)
}

/** All marks in an environment block as the kernel shows it. */
export function marksIn(environment: Buffer): readonly string[] {
  const prefix = `${marksVariable}=`
  if (!environment.includes(prefix)) return []
  const entries = environment.toString('utf8').split('\0')
  return entries.flatMap((entry) => (entry.startsWith(prefix) ? entry.slice(prefix.length).split(':') : []))
}

function assertMark(mark: string): void {
  if (mark !== '' && !/[:\0]/.test(mark)) return
  throw new MdtestError(
    'EXEC_INVALID_MARK',
    `Expected a mark to be text without ":" and NUL, got ${JSON.stringify(mark)}.`,
  )
}
