import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Runner, RunnerResults, FailingTest } from '../runner.ts'
import { scopeArguments } from '../command-parts.ts'
import { openSourceFiles, fileOfClass, type SourceFiles } from '../source-files.ts'
import type { XmlElement } from '@rgrove/parse-xml'
import { elementsNamed, parseElement } from '../readers/junit-xml.ts'
import {
  addBroken,
  addCounts,
  noResults,
  countTests,
  type TestStatus,
  readCompileErrors,
  readResultsFile,
  messageOf,
} from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { relativeFile } from '../readers/place.ts'

/** Patterns are parts of full names. A source file stands for the class of its name. */
export const dotnet: Runner<'dotnet'> = {
  name: 'dotnet',
  files: [{ name: /\.(?:csproj|fsproj|vbproj|sln|slnx)$/ }],
  form: /dotnet +test/,
  template: {
    all: 'dotnet test',
    file: 'dotnet test ./PROJECT | --filter=FullyQualifiedName~CLASS OF FILE',
    pattern: 'dotnet test --filter=FullyQualifiedName~PATTERN',
  },
  buildCommand({ run, resultsDir }) {
    const scope = scopeArguments(run, {
      file: (path) => [/\.(?:cs|fs|vb)$/.test(path) ? filter(basename(path).replace(/\.\w+$/, '')) : `./${path}`],
      pattern: (names) => [filter(names)],
    })
    const options = [...scope, ...reporters(resultsDir)]
    return { argv: ['dotnet', 'test', ...options], env: { DOTNET_NOLOGO: '1' } }
  },
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  async readResults({ stdout, stderr, resultsDir, root, exitCode }) {
    const files = (await readdir(resultsDir).catch(() => [])).filter((name) => name.endsWith('.trx')).toSorted()
    const texts = await Promise.all(files.map((name) => readResultsFile(join(resultsDir, name))))
    const sources = openSourceFiles(root, /\.(?:cs|fs|vb)$/)
    const reports = texts.flatMap((text) => readTrx(text, { root, sources }) ?? [])
    const isNoMatch = exitCode === 0 || /^No test (?:matches|is available)/m.test(stdout)
    const none: RunnerResults = isNoMatch ? { counts: addCounts([]), failingTests: [] } : noResults
    const results = reports.length === 0 ? none : mergeResults(reports)
    return addBroken(results, readCompileErrors(`${stdout}\n${stderr}`, root))
  },
}

/** Some characters have a meaning of their own in a filter, others in MSBuild, which gets it as a property. */
function filter(part: string): string {
  const literal = part.replaceAll(/[\\()&|=!~]/g, '\\$&')
  const escaped = literal.replaceAll(/[%$@;,"'*?]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `--filter=FullyQualifiedName~${escaped}`
}

function reporters(resultsDir: string): readonly string[] {
  return ['--logger=trx', '--logger=console', `--results-directory=${resultsDir}`]
}

function mergeResults(reports: readonly RunnerResults[]): RunnerResults {
  return {
    counts: addCounts(reports.flatMap(({ counts }) => counts ?? [])),
    failingTests: reports.flatMap(({ failingTests }) => failingTests),
    passedTests: reports.flatMap(({ passedTests }) => passedTests ?? []),
  }
}

function readTrx(
  text: string | undefined,
  { root, sources }: { readonly root: string; readonly sources: SourceFiles },
): RunnerResults | undefined {
  const report = parseElement(text)
  if (report?.name !== 'TestRun') return undefined
  const results = elementsNamed(report, 'UnitTestResult')
  const classes = new Map(
    elementsNamed(report, 'UnitTest').map((test) => [test.attributes['id'], classNameOf(test)] as const), // pairs
  )
  const fileOf = ({ attributes }: XmlElement): string | undefined => {
    const className = classes.get(attributes['testId'])
    return className === undefined ? undefined : fileOfClass(className, sources)
  }
  return {
    counts: countTests(results.map(statusOf)),
    failingTests: results
      .filter((result) => statusOf(result) === 'failed')
      .map((result) => failingTest(result, { root, file: fileOf(result) })),
    passedTests: results
      .filter((result) => statusOf(result) === 'passed')
      .map((result) => ({ name: nameOf(result), ...fileField(fileOf(result)) })),
  }
}

function nameOf({ attributes }: XmlElement): string {
  return attributes['testName'] ?? ''
}

function fileField(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file }
}

/** `Example.SumTests` of `Example.SumTests, Example, Version=1.0.0.0` */
function classNameOf(test: XmlElement): string | undefined {
  return elementsNamed(test, 'TestMethod')[0]?.attributes['className']?.split(',', 1)[0]
}

function statusOf({ attributes }: XmlElement): TestStatus {
  const outcome = attributes['outcome'] ?? ''
  if (outcome === 'Passed' || outcome === 'PassedButRunAborted' || outcome === 'Warning') return 'passed'
  return outcome === 'NotExecuted' || outcome === 'NotRunnable' || outcome === 'Inconclusive' ? 'skipped' : 'failed'
}

function failingTest(
  result: XmlElement,
  { root, file }: { readonly root: string; readonly file: string | undefined },
): FailingTest {
  const message = messageOf(elementsNamed(result, 'Message')[0]?.text ?? '')
  const trace = elementsNamed(result, 'StackTrace')[0]?.text ?? ''
  const frames = [...trace.matchAll(/ in (\S.*?):line (\d+)/g)]
  const own = frames.find(([, path = '']) => relativeFile(path, root) === file)
  return {
    name: nameOf(result),
    ...fileField(file),
    ...(own !== undefined && { line: Number(own[2]) }),
    message,
    ...readComparison(message),
  }
}
