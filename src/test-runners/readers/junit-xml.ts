import { XmlElement, parseXml } from '@rgrove/parse-xml'
import type { FailingTest, NamedTest, RunnerResults } from '../runner.ts'
import { countTests, type TestStatus } from './reading.ts'

export interface JunitTest {
  readonly status: TestStatus
  readonly attributes: Readonly<Record<string, string>>
  readonly message: string
  readonly text: string
}

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

export function elementsNamed(element: XmlElement, name: string): readonly XmlElement[] {
  const inner = childrenOf(element).flatMap((child) => elementsNamed(child, name))
  return element.name === name ? [element, ...inner] : inner
}

function childNamed(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return childrenOf(element).find(({ name }) => names.includes(name))
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement)
}
