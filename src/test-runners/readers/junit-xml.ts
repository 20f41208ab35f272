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
  const untold = Array.from({ length: countUntold(root) }, (): JunitTest => ({
    status: 'failed',
    attributes: { name: root.attributes['name'] ?? 'suite' },
    message: 'The report counts it as failed, and names no test.',
    text: '',
  }))
  return [...testsIn(root), ...untold]
}

function testsIn(element: XmlElement): readonly JunitTest[] {
  return elementsNamed(element, 'testcase').map(junitTest)
}

/** How many failures the report counts without a test, for example because the setup of a suite failed. */
function countUntold(suite: XmlElement): number {
  const { failures = 0, errors = 0 } = suite.attributes
  const told = testsIn(suite).filter(({ status }) => status === 'failed').length
  const within = childrenOf(suite).reduce((sum, inner) => sum + countUntold(inner), 0)
  return Math.max(Number(failures) + Number(errors) - told || 0, within)
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
