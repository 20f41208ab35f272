import { join } from 'node:path'
import { packageProgram, anyFullName, scopeArguments } from '../command-parts.ts'
import type { Runner, FailingTest, NamedTest, RunnerResults } from '../runner.ts'
import { existsSync, realpathSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { readResultsFile, parseJson, countTests, noResults, type TestStatus, messageOf } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { lineInMessage, lineInStack, relativeFile } from '../readers/place.ts'

const results = 'jest.json'

export const jest: Runner<'jest'> = {
  name: 'jest',
  packages: ['jest'],
  files: [{ name: /^jest\.config\.\w+$/ }],
  form: /jest(?:\.js)?/,
  template: {
    all: 'jest --ci',
    file: 'jest --ci --runTestsByPath FILE',
    pattern: 'jest --ci --testNamePattern=PATTERN',
  },
  buildCommand({ run, resultsDir, root }) {
    const options = ['--ci', '--watchAll=false', ...reporters(resultsDir)]
    const scope = scopeArguments(run, {
      file: (path) => ['--runTestsByPath', join(root, path)],
      pattern: (names) => [`--testNamePattern=${names}`],
    })
    return { argv: [...packageProgram(root, 'jest'), ...options, ...scope] }
  },
  selectTests: anyFullName,
  changed: ['--onlyChanged'],
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  async readResults({ stdout, stderr, resultsDir, root }) {
    const text = await readResultsFile(join(resultsDir, results))
    // Jest writes no report then.
    if (text === undefined && /^No tests found, exiting/m.test(`${stdout}\n${stderr}`)) {
      return { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] }
    }
    return readJestJson(text, { root })
  },
}

function reporters(resultsDir: string): readonly string[] {
  return ['--testLocationInResults', '--json', `--outputFile=${join(resultsDir, results)}`]
}

const testSchema = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
  location: z.object({ line: z.number() }).nullish(),
})

const fileSchema = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(testSchema),
})

const reportSchema = z.object({ testResults: z.array(fileSchema) })

type TestFile = z.infer<typeof fileSchema>
type Test = z.infer<typeof testSchema>

interface Project {
  readonly root: string
  /** What the console has about a failed test, whose JSON lacks the values. */
  readonly describe?: (test: string) => string | undefined
  /** The file that was asked for, relative to the root: where none of its tests was executed, none was. */
  readonly only?: string
}

/** Reads the JSON report of Jest, which Vitest writes as well. A file that failed without a failed test is one. */
export function readJestJson(text: string | undefined, project: Project): RunnerResults {
  const report = reportSchema.safeParse(parseJson(text))
  if (!report.success) return noResults
  const files = report.data.testResults
  const { only } = project
  if (
    only !== undefined &&
    !files.some((file) => isExecuted(file) && isSameFile(file.name, join(project.root, only)))
  ) {
    return { counts: countTests([]), failingTests: [] }
  }
  const broken = files.filter(isBroken)
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(statusOf))
  return {
    counts: countTests([...statuses, ...broken.map(() => 'failed' as const)]),
    failingTests: files.flatMap((file) => failingTestsOf(file, project)),
    passedTests: files.flatMap((file) => passedTestsOf(file, project)),
  }
}

function isBroken({ status, assertionResults }: TestFile): boolean {
  return status === 'failed' && !assertionResults.some((test) => statusOf(test) === 'failed')
}

function isExecuted(file: TestFile): boolean {
  return isBroken(file) || file.assertionResults.some((test) => statusOf(test) !== 'skipped')
}

/** Runners may tell of a file by the path that a link leads to. */
function isSameFile(a: string, b: string): boolean {
  return a === b || (existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b))
}

function statusOf({ status }: Test): TestStatus {
  return status === 'passed' || status === 'failed' ? status : 'skipped'
}

function failingTestsOf(file: TestFile, project: Project): readonly FailingTest[] {
  if (isBroken(file)) return [brokenFile(file, project)]
  const failed = file.assertionResults.filter((test) => statusOf(test) === 'failed')
  return failed.map((test) => failingTest(test, { ...project, file: relativeFile(file.name, project.root) }))
}

function passedTestsOf({ name, assertionResults }: TestFile, { root }: Project): readonly NamedTest[] {
  const file = relativeFile(name, root)
  return assertionResults.filter((test) => statusOf(test) === 'passed').map((test) => ({ name: nameOf(test), file }))
}

function nameOf({ ancestorTitles, title }: Test): string {
  return [...ancestorTitles, title].join(' > ')
}

function brokenFile(file: TestFile, { root, describe }: Project): FailingTest {
  const name = relativeFile(file.name, root)
  const message = stripVTControlCharacters(file.message ?? '')
  const line = lineInMessage(message, name) ?? lineInMessage(describe?.(`${name} [ ${name} ]`) ?? '', name)
  // Jest has a page of advice before it.
  const details = message.split(/^ +Details:\n|^ *● Test suite failed to run\n/m).at(-1) ?? ''
  return { name, file: name, ...(line !== undefined && { line }), message: messageOf(details), standsFor: 'tests' }
}

function failingTest(test: Test, { root, file, describe }: Project & { readonly file: string }): FailingTest {
  const name = nameOf(test)
  const stack = stripVTControlCharacters(test.failureMessages?.join('\n') ?? '')
  const message = messageOf(stack)
  const told = readComparison(describe?.(`${file} > ${name}`) ?? '')
  const line = lineInStack(stack, { root, file }) ?? test.location?.line
  return {
    name,
    file,
    ...(line !== undefined && { line }),
    message,
    ...(told.expected === undefined ? readComparison(message) : told),
  }
}
