import type { XmlElement } from '@rgrove/parse-xml'
import { readComparison } from './comparison.ts'
import { countTests, type TestStatus } from './count-tests.ts'
import { messageOf } from './message.ts'
import { relativeFile } from './place.ts'
import type { FailingTest, RunnerResults } from './runner.ts'
import { elementsNamed, parseElement } from './xml.ts'

/** Reads a report of `dotnet test --logger=trx`; `undefined` where it is none. */
export function readTrx(text: string | undefined, root: string): RunnerResults | undefined {
  const report = parseElement(text)
  if (report?.name !== 'TestRun') return undefined
  const results = elementsNamed(report, 'UnitTestResult')
  return {
    counts: countTests(results.map(statusOf)),
    failingTests: results.filter((result) => statusOf(result) === 'failed').map((result) => failingTest(result, root)),
  }
}

function statusOf({ attributes }: XmlElement): TestStatus {
  const outcome = attributes['outcome'] ?? ''
  if (outcome === 'Passed' || outcome === 'PassedButRunAborted' || outcome === 'Warning') return 'passed'
  return outcome === 'NotExecuted' || outcome === 'NotRunnable' || outcome === 'Inconclusive' ? 'skipped' : 'failed'
}

function failingTest(result: XmlElement, root: string): FailingTest {
  const message = messageOf(elementsNamed(result, 'Message')[0]?.text ?? '')
  const trace = elementsNamed(result, 'StackTrace')[0]?.text ?? ''
  const [, path, line] = / in (\S.*?):line (\d+)/.exec(trace) ?? []
  return {
    name: result.attributes['testName'] ?? '',
    ...(path !== undefined && { file: relativeFile(path, root), line: Number(line) }),
    message,
    ...readComparison(message),
  }
}
