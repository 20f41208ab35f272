import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testNamesIn, buildFailures } from '../readers/go-files.ts'
import { readGoOutput, showGoEvent } from '../readers/go-events.ts'
import type { Runner, RunScope, FailingTest, RunnerResults } from '../runner.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { countTests, type TestStatus } from '../readers/common/count-tests.ts'
import { messageOf, maxFailures } from '../readers/common/text.ts'

/** Patterns are regular expressions of `-run`. Of a file, its package is run, but only the file's own tests. */
export const go: Runner<'go'> = {
  name: 'go',
  files: [{ name: /^go\.(?:mod|work)$/ }],
  form: /go +test/,
  template: {
    all: 'go test -json ./...',
    file: 'go test -json -run=^(TESTS OF FILE)$ ./FOLDER',
    pattern: 'go test -json -run=PATTERN ./...',
  },
  buildCommand({ run, root }) {
    return { argv: ['go', 'test', '-json', ...scopeArguments(run, root)] }
  },
  selectTests: (names) => `^(${[...new Set(names.map((name) => name.split('/', 1)[0]))].join('|')})$`,
  // With `-v` its console names all tests.
  reporting: () => ({ args: [], env: { GOFLAGS: '-v' } }),
  showLine: showGoEvent,
  async readResults(output) {
    return readGoOutput(output)
  },
  readPlain: readPlainGo,
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return ['./...']
    case 'file':
      if (!run.target.endsWith('.go')) return [`./${run.target.replace(/\/+$/, '')}/...`]
      return [`-run=^(${testsIn(join(root, run.target)).join('|')})$`, `./${dirname(run.target)}`]
    case 'pattern':
      return [`-run=${run.target}`, './...']
  }
}

function testsIn(file: string): readonly string[] {
  if (!existsSync(file)) return []
  const source = readFileSync(file, 'utf8')
  return testNamesIn(source)
}

const statuses: Readonly<Record<string, TestStatus>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

interface Ending {
  readonly name: string
  readonly status: TestStatus
  /** What stands below it. */
  readonly body: string
}

/** `go test`, also with `-v` or `-json`. Without `-v` Go does not tell of tests that passed: no counts then. */
function readPlainGo(text: string): RunnerResults | undefined {
  if (/^\{"Time":.*"Action":/m.test(text)) return readGoOutput({ stdout: text, stderr: text, root: undefined })
  if (!/^(?:ok|FAIL|\?|---) {0,3}\t?\S/m.test(text) || !/^(?:ok {2}|FAIL|\? {3})\t\S+/m.test(text)) return undefined
  const endings = leavesOf(endingsOf(text))
  const broken = [...buildFailures(text), ...brokenPackages(text, endings)]
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

/** Packages that ended as failed without a test that did: by `os.Exit`, by a panic outside of tests. */
function brokenPackages(text: string, endings: readonly Ending[]): readonly FailingTest[] {
  const packages = [...text.matchAll(/^FAIL\t(\S+)\t\d+\.\d+s$/gm)].map(([, name = '']) => name)
  if (endings.some(({ status }) => status === 'failed')) return []
  return packages.map((name) => ({ name, message: 'The package ended as failed.', standsFor: 'tests' }))
}

function endingsOf(text: string): readonly Ending[] {
  // What a test prints without an end of line stands before it.
  const parts = text.split(/--- (?=(?:PASS|FAIL|SKIP): \S+ \(\d+\.\d+s\)$)/m).slice(1)
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
