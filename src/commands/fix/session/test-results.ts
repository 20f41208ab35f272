import { createHash } from 'node:crypto'
import { z } from 'zod'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import type { ExecutedTests } from '../../../test-runners/executed-tests.ts'
import { formatPlace, type FailingTest, type NamedTest } from '../../../test-runners/runner.ts'
import { withoutVariance } from '../../../test-runners/readers/read-results.ts'
import type { SessionStore } from './session-store.ts'

export const failureSchema = z.object({
  /** `file > name`, or only the name if the file is unknown. */
  key: z.string(),
  name: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  message: z.string(),
  expected: z.string().optional(),
  received: z.string().optional(),
})

const namedTests = z.array(z.object({ name: z.string(), file: z.string().exactOptional() }))

export const testResultsSchema = z.object({
  total: z.int().min(0),
  executed: namedTests.nullable().default(null),
  skipped: namedTests.optional(),
  failing: z.array(failureSchema),
  others: z.array(failureSchema),
  blocked: z.array(z.string()),
  signature: z.string(),
  /** Whether every failure names a test. Other failures have a placeholder such as `(the run of the tests)`. */
  is_parsed: z.boolean(),
  summary_path: z.string(),
})

export type TestResults = z.infer<typeof testResultsSchema>
export type Failure = z.infer<typeof failureSchema>

export const noTestResults: TestResults = {
  ...{ total: 0, executed: null, failing: [], others: [], blocked: [] },
  ...{ signature: '', is_parsed: true, summary_path: '' },
}

export interface RawResults {
  readonly total: number
  readonly executed?: ExecutedTests
  readonly named: readonly FailingTest[]
  /** Failures that name no test have a placeholder such as `(the run of the tests)`. */
  readonly rest: readonly FailingTest[]
  readonly summaryPath: string
}

export function toTestResults(
  { total, executed, named, rest, summaryPath }: RawResults,
  scope: string | null,
): TestResults {
  const all = [...new Map([...named, ...rest].map((test) => [testKey(test), test])).values()]
  const failed = all.filter((test) => !isBlocked(test))
  const failing = failed.filter((test) => isInScope(test, scope)).map(toFailure)
  const inScope = executed?.areAll === true ? executed.tests.filter((test) => isInScope(test, scope)) : undefined
  return {
    total: scope === null || inScope === undefined ? total : Math.max(inScope.length, failing.length),
    executed: executed?.areAll === true ? [...executed.tests] : null,
    ...(executed?.skipped && { skipped: [...executed.skipped] }),
    failing,
    others: failed.filter((test) => !isInScope(test, scope)).map(toFailure),
    blocked: all.filter((test) => isBlocked(test) && isInScope(test, scope)).map(testKey),
    signature: signatureOf(failing),
    is_parsed: rest.length === 0,
    summary_path: summaryPath,
  }
}

function toFailure({ standsFor: _standsFor, ...test }: FailingTest): Failure {
  return { ...test, key: testKey(test) }
}

export function testKey({ file, name }: NamedTest): string {
  return file === undefined || hasPath(name, file) ? name : `${file} > ${name}`
}

/** Whether the name begins with the file: `sum.py::adds` begins with `sum.py`, but `sum.python` does not. */
function hasPath(name: string, file: string): boolean {
  return name.startsWith(file) && (file === '' || !/^[\p{L}\p{N}_]/u.test(name.slice(file.length)))
}

/** Whether the test is a step that could not be tried. Its message then begins with `blocked:`. */
function isBlocked({ message }: FailingTest): boolean {
  return /^(?:\w*Error: )?blocked: /.test(message)
}

/** Also true if the file is unknown, is needed by all tests, or is a folder that contains the scope. */
export function isInScope({ file, standsFor }: Pick<FailingTest, 'file' | 'standsFor'>, scope: string | null): boolean {
  const path = scope?.replace(/^\.\//, '').replace(/\/+$/, '')
  if (path === undefined || path === '' || path === '.' || file === undefined || standsFor === 'any') return true
  return file === path || file.startsWith(`${path}/`) || path.startsWith(`${file}/`)
}

/** Equal failures have equal hashes: times, addresses, temporary names and other changing numbers are ignored. */
function signatureOf(failing: readonly Failure[]): string {
  const lines = failing.map(
    ({ key, message, received = '' }) => `${key}\n${withoutVariance(message)}\n${withoutVariance(received)}`,
  )
  return createHash('sha256').update(lines.toSorted().join('\n\n')).digest('hex').slice(0, 16)
}

const maxMessageLength = 2_000

export function shortenFailure(failure: Failure): Failure {
  const shortText = (text: string | undefined): string | undefined =>
    text === undefined || text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)} […]`
  const { message, expected, received } = failure
  return withoutUndefined<Failure>({
    ...failure,
    ...{ message: shortText(message) ?? '', expected: shortText(expected), received: shortText(received) },
  })
}

export function formatFailure(failure: Failure): string {
  const { key, file, message, expected, received } = failure
  const values = [
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
  ]
  const text = [message, ...values].join('\n').replaceAll(/^/gm, '    ')
  return `### ${key.replaceAll(/\s+/g, ' ')}${file === undefined ? '' : ` (${formatPlace(failure)})`}\n\n${text}`
}

export function resultsOf(
  run: { readonly resultsFile: string } | undefined,
  store: Pick<SessionStore, 'read'>,
): TestResults {
  return run === undefined ? noTestResults : testResultsSchema.parse(store.read(run.resultsFile))
}
