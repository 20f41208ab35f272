import type { FailingTest, RunScope, RunnerResults, TestCounts } from '../runner.ts'
import { runners, type RunnerName } from '../runners.ts'
import type { CommandEnd } from '../../system/process/command.ts'
import { isInProject } from '../readers/file-and-line.ts'
import { describeEnd, describeExit } from '../../system/text/wording.ts'

export interface TestRunRequest {
  readonly runner: RunnerName
  readonly run: RunScope
  readonly limits: TestRunLimits
  /** Parent of the run's folder, relative to the repository. @default '.cache/mdtest/reports' */
  readonly reportDir?: string | undefined
}

export interface TestRunLimits {
  readonly timeoutMs: number
  readonly noOutputTimeoutMs: number
  readonly maxOutputBytes: number
}

/** `error`: the run says nothing about the tests, for example because no test was executed. */
export type TestRunStatus = 'pass' | 'fail' | 'timeout' | 'no_output' | 'error'

export interface TestRun extends RunnerResults {
  readonly request: TestRunRequest
  readonly template: string
  readonly argv: readonly string[]
  readonly status: TestRunStatus
  readonly message: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly startedAt: string
  readonly durationMs: number
  readonly outputBytes: number
  readonly blocks: readonly string[]
  readonly tail: string
  readonly excerpt: string
  readonly rawLogError?: string
}

export function formatOutcome({ status, message, counts, exitCode, durationMs }: TestRun): string {
  const counted = counts === null ? [] : [`${counts.failed} of ${counts.total} tests failed, ${counts.skipped} skipped`]
  const said = [...(message === null ? [] : [message]), ...counted].join(' ') || 'no counts'
  const code = exitCode === null ? '' : `exit code ${exitCode}, `
  return `${status}: ${said} (${code}${(durationMs / 1000).toFixed(1)} s)`
}

type Rating = Pick<TestRun, 'status' | 'message'>

const maxBegun = 10

function describeBegun(names: readonly string[]): string {
  const more = names.length > maxBegun ? ` and ${names.length - maxBegun} more` : ''
  return names.length === 0 ? '' : ` Begun and not finished: ${names.slice(0, maxBegun).join(', ')}${more}.`
}

/** A pass needs exit code 0, at least one executed test, and no failed test. */
export function rateRun(end: CommandEnd, results: RunnerResults, run: RunScope): Rating {
  const begun = describeBegun(results.unfinished ?? [])
  switch (end.reason) {
    case 'hard-timeout':
      return { status: 'timeout', message: `It ${describeEnd(end, `timeout_ms (${end.limitMs} ms)`)}.${begun}` }
    case 'silence-timeout':
      return {
        status: 'no_output',
        message: `It ${describeEnd(end, `no_output_timeout_ms (${end.limitMs} ms)`)}.${begun}`,
      }
    case 'canceled':
      return { status: 'error', message: `It ${describeEnd(end)}.${begun}` }
    case 'signal':
      return { status: 'error', message: `The test runner ${describeEnd(end)}.${begun}` }
    case 'spawn-failed':
    case 'lost':
      return { status: 'error', message: end.error.message }
    case 'exit':
      return rateExit(end.exitCode, results, run)
    default:
      return end satisfies never
  }
}

function rateExit(exitCode: number, { counts, failingTests }: RunnerResults, run: RunScope): Rating {
  if (failingTests.length > 0 || (counts !== null && counts.failed > 0)) return { status: 'fail', message: null }
  const ended = `The test runner ${describeExit(exitCode)}`
  if (counts === null)
    return { status: 'error', message: `${ended} and left no results: nothing says that a test was executed.` }
  if (counts.total - counts.skipped <= 0) {
    const none = run.scope === 'all' ? 'No test was found' : `No test matched ${run.target}`
    const skipped = counts.skipped === 0 ? '' : `: ${counts.skipped} skipped, none executed`
    return { status: 'error', message: `${none}${skipped}.` }
  }
  if (exitCode === 0) return { status: 'pass', message: null }
  return { status: 'fail', message: `No test failed, but the test runner ${describeExit(exitCode)}.` }
}

/** Matches messages of npx, Python and mdtest about a missing program. */
const missing =
  /canceled due to missing packages.*\["(@?[^@"]+)|No module named '?(pytest)\b|^Could not start `([\w.-]+)`: the program was not found/m
const missingInShell =
  /^(?:(?:.*: )?([\w./-]+): (?:command )?not found|make(?:\[\d+\])?: ([\w./-]+): No such file or directory|(?:.*: )?([\w./-]*\/[\w./-]+): No such file or directory)$/gm

interface Ended {
  readonly end: CommandEnd
  readonly counts: TestCounts | null
  readonly printed: string
  readonly root: string
}

/** If the output names a missing program, says which one, and how to install it. */
export function missingProgram({ end, counts, printed, root }: Ended): string | undefined {
  if (end.reason !== 'exit' && !('error' in end)) return undefined
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const words = 'error' in end ? end.error.message : printed
  if (exitCode === 0 || counts !== null) return undefined
  const isOfShell = exitCode === 127 || /Error 127$/m.test(words)
  const found = missing.exec(words) ?? (isOfShell ? [...words.matchAll(missingInShell)].at(-1) : undefined)
  const name = found?.slice(1).find(Boolean)
  if (name === undefined) return undefined
  if (name.includes('/') && !name.startsWith('@')) return `\`${name}\` does not exist.`
  const runner = runners.find((each) => each.name === name || each.packages?.includes(name))
  const [first] = runner?.packages ?? []
  if (runner?.install !== undefined) return `\`${name}\` is not installed: \`${runner.install}\`.`
  // Name the folder, because in a monorepo another package may have the program.
  if (first !== undefined) return `\`${name}\` is not installed in ${root}: \`npm install -D ${first}\`.`
  return `\`${name}\` is not installed, or its folder is not in PATH.`
}

/** Describes failed tests in files outside of the project, because mdtest must have misread these results. */
export function describeUnplaced(failingTests: readonly FailingTest[], root: string): string | undefined {
  const unplaced = failingTests.filter(({ file }) => file !== undefined && !isInProject(file, root))
  const [first] = unplaced
  if (first === undefined) return undefined
  const others = unplaced.length === 1 ? '' : `, and so for ${unplaced.length - 1} more`
  return `mdtest cannot find the file of \`${first.name}\`: the runner reports \`${first.file}\`, which is not in the project${others}. Please report this as an error of mdtest.`
}
