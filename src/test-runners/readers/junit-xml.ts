import { XmlElement, parseXml } from '@rgrove/parse-xml'
import { orNothing } from '../../system/error-facts.ts'
import type { TestStatus } from './read-results.ts'

export interface JunitTest {
  readonly status: TestStatus
  readonly attributes: Readonly<Record<string, string>>
  readonly message: string
  readonly text: string
}

export function readJunitTests(text: string | undefined): readonly JunitTest[] | undefined {
  const root = parseElement(text)
  if (root === undefined || !root.name.startsWith('testsuite')) return undefined
  const tests = elementsNamed(root, 'testcase').map(junitTest)
  return [...tests, ...untoldFailures(root, tests)]
}

/** Failures that the report counts without a test, for example because the setup of a suite failed. */
function untoldFailures(root: XmlElement, tests: readonly JunitTest[]): readonly JunitTest[] {
  const counted = ({ attributes }: XmlElement): number =>
    Number(attributes['failures'] ?? 0) + Number(attributes['errors'] ?? 0)
  const suites = childrenOf(root).reduce((sum, suite) => sum + counted(suite), 0)
  const told = tests.filter(({ status }) => status === 'failed').length
  const untold = Math.max(counted(root), root.name === 'testsuites' ? suites : 0) - told
  return Array.from({ length: Math.max(0, untold || 0) }, () => ({
    status: 'failed',
    attributes: { name: root.attributes['name'] ?? 'suite' },
    message: 'The report counts it as failed, and names no test.',
    text: '',
  }))
}

function junitTest(testcase: XmlElement): JunitTest {
  const inner = childrenOf(testcase)
  const failure = inner.find(({ name }) => name === 'failure' || name === 'error')
  const isSkipped = inner.some(({ name }) => name === 'skipped')
  return {
    status: failure ? 'failed' : isSkipped ? 'skipped' : 'passed',
    attributes: testcase.attributes,
    message: failure?.attributes['message'] ?? '',
    text: failure?.text ?? '',
  }
}

export function parseElement(text = ''): XmlElement | undefined {
  // Remove characters that are invalid in XML, because programs may print them.
  const fit = text.replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')
  return orNothing(() => parseXml(fit).root) ?? undefined
}

export function elementsNamed(element: XmlElement, name: string): readonly XmlElement[] {
  const inner = childrenOf(element).flatMap((child) => elementsNamed(child, name))
  return element.name === name ? [element, ...inner] : inner
}

function childrenOf(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement)
}
