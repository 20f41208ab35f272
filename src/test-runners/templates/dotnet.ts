import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { XmlElement } from '@rgrove/parse-xml'
import { elementsNamed, parseElement } from '../readers/junit-xml.ts'
import { relativeFile } from '../readers/file-and-line.ts'
import { compiledResults, readLeft, type TestStatus, type ToldTest } from '../readers/read-results.ts'
import { runner } from '../runner.ts'

/** A pattern matches a part of a test's full name. A source file selects the test class of the same name. */
export const dotnet = runner({
  name: 'dotnet',
  files: [{ name: /\.(?:csproj|fsproj|vbproj|sln|slnx)$/ }],
  form: /dotnet +test/,
  console: {
    summary: /^[ \t]*(?:Passed|Failed|Skipped)! +- (Failed: +\d+, Passed: +\d+, Skipped: +\d+), Total: +\d+/gm,
    ...{ passed: 'Passed:', failed: 'Failed:', skipped: 'Skipped:' },
  },
  template: {
    all: 'dotnet test',
    file: 'dotnet test ./PROJECT | --filter=FullyQualifiedName~CLASS OF FILE',
    pattern: 'dotnet test --filter=FullyQualifiedName~PATTERN',
  },
  program: () => ['dotnet', 'test'],
  reporters: (dir) => ['--logger=trx', '--logger=console', `--results-directory=${dir}`],
  env: () => ({ DOTNET_NOLOGO: '1' }),
  scope: {
    file: (path) => [/\.(?:cs|fs|vb)$/.test(path) ? filter(basename(path).replace(/\.\w+$/, '')) : `./${path}`],
    pattern: (names) => [filter(names)],
  },
  async readResults(output) {
    const files = (await readdir(output.resultsDir).catch(() => [])).filter((name) => name.endsWith('.trx'))
    const texts = await Promise.all(files.toSorted().map((name) => readLeft(output, name)))
    const reports = texts.map((text) => readTrx(text, output.root))
    return compiledResults(output, { reports, noMatch: /^No test (?:matches|is available)/m })
  },
})

/** Escapes for the filter's syntax, then for MSBuild, because the filter becomes a property of MSBuild. */
function filter(part: string): string {
  const literal = part.replaceAll(/[\\()&|=!~]/g, '\\$&')
  const escaped = literal.replaceAll(/[%$@;,"'*?]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `--filter=FullyQualifiedName~${escaped}`
}

function readTrx(text: string | undefined, root: string): readonly ToldTest[] | undefined {
  const report = parseElement(text)
  if (report?.name !== 'TestRun') return undefined
  // Shortens `Example.SumTests, Example, Version=1.0.0.0` to `Example.SumTests`.
  const classes = new Map(
    elementsNamed(report, 'UnitTest').map((test) => {
      const className = elementsNamed(test, 'TestMethod')[0]?.attributes['className']
      return [test.attributes['id'], className?.split(',', 1)[0]] as const // pairs
    }),
  )
  return elementsNamed(report, 'UnitTestResult').map((result) => {
    const { testName: name = '', testId, outcome = '' } = result.attributes
    const className = classes.get(testId)
    // Take the place from a stack frame in the test's class, because the report has no files.
    const frames = [...(namedText(result, 'StackTrace') ?? '').matchAll(/^\s*at (\S+?)\(.*\) in (\S.*?):line (\d+)/gm)]
    const own = frames.find(([, method]) => className !== undefined && method?.startsWith(`${className}.`))
    const place = own && { file: relativeFile(own[2] ?? '', root), line: Number(own[3]) }
    return { status: statusOf(outcome), name, ...place, message: namedText(result, 'Message') }
  })
}

function namedText(result: XmlElement, name: string): string | undefined {
  return elementsNamed(result, name)[0]?.text
}

function statusOf(outcome: string): TestStatus {
  if (outcome === 'Passed' || outcome === 'PassedButRunAborted' || outcome === 'Warning') return 'passed'
  return outcome === 'NotExecuted' || outcome === 'NotRunnable' || outcome === 'Inconclusive' ? 'skipped' : 'failed'
}
