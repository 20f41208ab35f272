import { stripVTControlCharacters } from 'node:util'
import { countVerbose } from './templates/go.ts'
import type { TestCounts } from './runner.ts'
import { addCounts } from './readers/reading.ts'

/** Where the console of a runner tells numbers. Each match of `summary` is of other tests. */
interface ConsoleForm {
  readonly summary: RegExp
  readonly passed: string
  readonly failed: string
  readonly skipped: string
  readonly broken?: RegExp
  readonly within?: RegExp
  readonly isRunning?: true
}

const pytestWord = String.raw`(?:\d+ (?:failed|passed|skipped|errors?|deselected|xfailed|xpassed|warnings?|rerun)|no tests ran)`

/** Vitest, Jest, Playwright, Node.js, pytest, cargo, Dart and Flutter, .NET, Maven, Gradle. Go is read with its names. */
const forms: readonly ConsoleForm[] = [
  {
    summary: /^ +Tests {2}(.*\(\d+\)|no tests)$/gm,
    ...{ passed: 'passed', failed: 'failed', skipped: 'skipped|todo' },
    broken: /^ FAIL {2}(?:\|[^|]*\| )?(\S.*) \[ \1 \]$/gm,
  },
  {
    summary: /^Tests: +(.*\d+ total)$/gm,
    ...{ passed: 'passed', failed: 'failed', skipped: 'skipped|todo' },
    broken: /^ {2}● Test suite failed to run$/gm,
  },
  {
    within: /^Running \d+ tests? using \d+ workers?[^]*/m,
    summary: /^ {2}(\d+ (?:failed|flaky|skipped|passed|did not run|interrupted))\b/gm,
    ...{ passed: 'passed|flaky', failed: 'failed|interrupted', skipped: 'skipped|did not run' },
  },
  {
    within: /^[#ℹ] tests \d+\n[#ℹ] suites \d+\n[^]*/m,
    summary: /^[#ℹ] ((?:pass|fail|cancelled|skipped|todo) \d+)$/gm,
    ...{ passed: 'pass', failed: 'fail|cancelled', skipped: 'skipped|todo' },
  },
  {
    summary: new RegExp(`^(?:=+ )?(${pytestWord}(?:, ${pytestWord})*) in [\\d.]+s`, 'gm'),
    ...{ passed: 'passed|xpassed', failed: 'failed|errors?', skipped: 'skipped|xfailed' },
  },
  {
    summary: /^test result: \S+ (\d+ passed; \d+ failed; \d+ ignored);/gm,
    ...{ passed: 'passed', failed: 'failed', skipped: 'ignored' },
  },
  {
    summary: /^\d\d+:\d\d (\+\d+(?: ~\d+)?(?: -\d+)?): /gm,
    ...{ passed: String.raw`\+`, failed: '-', skipped: '~' },
    isRunning: true,
  },
  {
    summary: /^[ \t]*(?:Passed|Failed|Skipped)! +- (Failed: +\d+, Passed: +\d+, Skipped: +\d+), Total: +\d+/gm,
    ...{ passed: 'Passed:', failed: 'Failed:', skipped: 'Skipped:' },
  },
  {
    // Without a time: that of a module, not of a class.
    summary: /^(?:\[\w+\] +)?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/gm,
    ...{ passed: 'run:', failed: 'Failures:|Errors:', skipped: 'Skipped:' },
  },
  {
    summary: /^(\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?)$/gm,
    ...{ passed: 'tests? completed', failed: 'failed', skipped: 'skipped' },
  },
]

/** Maven and Gradle tell all tests in place of those that passed. */
const tellsAll = /^Tests run:|tests? completed/

/**
 * How many tests a command tells of, by what it printed, whichever of the known runners it started, several too. Best
 * effort: a program can print anything. Nothing where no runner tells numbers.
 */
export function readConsoleCounts(text: string): TestCounts | null {
  const plain = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const verbose = countVerbose(plain)
  const found = [...forms.flatMap((form) => countsBy(form, plain)), ...(verbose ? [verbose] : [])]
  return found.length === 0 ? null : addCounts(found)
}

function countsBy(form: ConsoleForm, text: string): readonly Omit<TestCounts, 'total'>[] {
  const searched = form.within === undefined ? text : (form.within.exec(text)?.[0] ?? '')
  const summaries = [...searched.matchAll(form.summary)].map(([, told = '']) => told)
  if (summaries.length === 0) return []
  const counts = summaries.slice(form.isRunning === true ? -1 : 0).map((told) => {
    const [failed, skipped] = [sumOf(told, form.failed), sumOf(told, form.skipped)]
    const others = tellsAll.test(told) ? failed + skipped : 0
    return { passed: sumOf(told, form.passed) - others, failed, skipped }
  })
  const broken = form.broken === undefined ? 0 : [...text.matchAll(form.broken)].length
  return [...counts, { passed: 0, failed: broken, skipped: 0 }]
}

function sumOf(text: string, words: string): number {
  const numbers = [...text.matchAll(new RegExp(`(\\d+) (?:${words})(?!\\w)|(?<!\\w)(?:${words}) *(\\d+)`, 'g'))]
  return numbers.reduce((sum, [, before, after]) => sum + Number(before ?? after), 0)
}
