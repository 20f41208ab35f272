import type { XmlElement } from '@rgrove/parse-xml'
import { readComparison } from './common/comparison.ts'
import { countTests, type TestStatus } from './common/count-tests.ts'
import { messageOf } from './common/text.ts'
import { relativeFile } from './common/place.ts'
import type { FailingTest, RunnerResults } from '../runner.ts'
import { fileOfClass, type SourceFiles } from '../source-files.ts'
import { elementsNamed, parseElement } from './junit-xml.ts'

/** Reads a report of `dotnet test --logger=trx`; `undefined` where it is none. */
export function readTrx(
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
