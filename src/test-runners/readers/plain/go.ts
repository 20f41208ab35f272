import { readComparison } from '../common/comparison.ts'
import { countTests, type TestStatus } from '../common/count-tests.ts'
import { readGoOutput } from '../go-events.ts'
import { buildFailures } from '../go-failures.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import { maxFailures, type PlainReader } from './plain-reader.ts'

const statuses: Readonly<Record<string, TestStatus>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

interface Ending {
  readonly name: string
  readonly status: TestStatus
  /** What stands below it. */
  readonly body: string
}

/** `go test`, also with `-v` or `-json`. Without `-v` Go does not tell of tests that passed: no counts then. */
export const readPlainGo: PlainReader = (text) => {
  if (/^\{"Time":.*"Action":/m.test(text)) return readGoOutput({ stdout: text, stderr: text, root: undefined })
  if (!/^(?:ok|FAIL|\?|---) {0,3}\t?\S/m.test(text) || !/^(?:ok {2}|FAIL|\? {3})\t\S+/m.test(text)) return undefined
  const endings = leavesOf(endingsOf(text))
  const broken = buildFailures(text)
  const failed = endings.filter(({ status }) => status === 'failed').slice(0, maxFailures)
  const isVerbose = /^=== RUN /m.test(text)
  return {
    counts: isVerbose
      ? countTests([...endings.map(({ status }) => status), ...broken.map(() => 'failed' as const)])
      : null,
    failingTests: [...failed.map((ending) => failingTest(ending, text)), ...broken],
    ...(isVerbose && {
      passedTests: endings.filter(({ status }) => status === 'passed').map(({ name }) => ({ name })),
    }),
  }
}

function endingsOf(text: string): readonly Ending[] {
  const parts = text.split(/^ *--- (?=(?:PASS|FAIL|SKIP): )/m).slice(1)
  return parts.map((part) => {
    const [, word = '', name = ''] = /^(\w+): (\S+)/.exec(part) ?? []
    const body = part.slice(part.indexOf('\n') + 1).split(/^(?:=== |PASS$|FAIL|ok {2}\t|exit status)/m, 1)[0] ?? ''
    return { name, status: statuses[word] ?? 'failed', body }
  })
}

function leavesOf(endings: readonly Ending[]): readonly Ending[] {
  const parents = new Set(
    endings.flatMap(({ name }) => name.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
  )
  return endings.filter(({ name }) => !parents.has(name))
}

function failingTest({ name, body }: Ending, text: string): FailingTest {
  // With `-v` what a test logs stands between its beginning and its end.
  const log = body.trim() === '' ? (text.split(`=== RUN   ${name}\n`)[1]?.split(/^ *(?:--- |=== )/m, 1)[0] ?? '') : body
  const [, file, line] = /^[ \t]+(\S+\.go):(\d+): /m.exec(log) ?? []
  const message = messageOf((log.split(/^goroutine \d+ \[/m, 1)[0] ?? '').replace(/^\s+\S+\.go:\d+:[ \t]*/, ''))
  return { name, ...(file !== undefined && { file, line: Number(line) }), message, ...readComparison(message) }
}
