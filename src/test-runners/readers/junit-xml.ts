import { XmlElement, parseXml } from '@rgrove/parse-xml'
import type { FailingTest, NamedTest, RunnerResults } from '../runner.ts'
import { countTests, type TestStatus } from './reading.ts'

/** One test in a report of the JUnit family. */
export interface JunitTest {
  readonly status: TestStatus
  readonly attributes: Readonly<Record<string, string>>
  /** Message and text of a failure; both empty where it did not fail. */
  readonly message: string
  readonly text: string
}

/** Reads the tests of a report; `undefined` where it is none. */
export function readJunitTests(text: string | undefined): readonly JunitTest[] | undefined {
  const root = parseElement(text)
  if (root === undefined || !root.name.startsWith('testsuite')) return undefined
  const tests = elementsNamed(root, 'testcase').map(testOf)
  return [...tests, ...untoldFailures(root, tests)]
}

/** Failures that a report counts and has no test for, such as those of a suite that could not be set up. */
function untoldFailures(root: XmlElement, tests: readonly JunitTest[]): readonly JunitTest[] {
  const counted = ({ attributes }: XmlElement): number =>
    Number(attributes['failures'] ?? 0) + Number(attributes['errors'] ?? 0)
  const suites = childrenOf(root).reduce((sum, suite) => sum + counted(suite), 0)
  const told = tests.filter(({ status }) => status === 'failed').length
  const untold = Math.max(counted(root), root.name === 'testsuites' ? suites : 0) - told
  const message = 'The report counts it as failed, and names no test.'
  const test = {
    status: 'failed',
    attributes: { name: root.attributes['name'] ?? 'suite' },
    message,
    text: '',
  } as const // a literal
  return Array.from({ length: Math.max(0, untold || 0) }, () => test)
}

/** Results of such tests. */
export function junitResults(
  tests: readonly JunitTest[],
  toFailingTest: (test: JunitTest) => FailingTest,
): RunnerResults {
  const named = ({ name, file }: FailingTest): NamedTest => ({ name, ...(file !== undefined && { file }) })
  return {
    counts: countTests(tests.map(({ status }) => status)),
    failingTests: tests.filter(({ status }) => status === 'failed').map(toFailingTest),
    passedTests: tests.filter(({ status }) => status === 'passed').map((test) => named(toFailingTest(test))),
  }
}

function testOf(testcase: XmlElement): JunitTest {
  const failure = childNamed(testcase, 'failure', 'error')
  const status = failure ? 'failed' : childNamed(testcase, 'skipped') ? 'skipped' : 'passed'
  return {
    status,
    attributes: testcase.attributes,
    message: failure?.attributes['message'] ?? '',
    text: failure?.text ?? '',
  }
}

/** Root of an XML text; `undefined` where it is none, or only the start of one. */
export function parseElement(text: string | undefined): XmlElement | undefined {
  try {
    // Output of programs may hold characters that XML has no way to write.
    return text === undefined
      ? undefined
      : (parseXml(text.replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')).root ?? undefined)
  } catch {
    return undefined
  }
}

/** Elements of a name within another, itself too, in the order of the text. */
export function elementsNamed(element: XmlElement, name: string): readonly XmlElement[] {
  const inner = childrenOf(element).flatMap((child) => elementsNamed(child, name))
  return element.name === name ? [element, ...inner] : inner
}

/** The first child of one of these names. */
function childNamed(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return childrenOf(element).find(({ name }) => names.includes(name))
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement)
}
