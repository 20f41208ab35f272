// `scripts/start scripts/count-results.ts reports/test.json …` adds up Vitest's JSON results: it lists the failed
// tests and ends with `N passed, N failed`.
// Exit code 1 if a test failed, a file is missing or broken, or no test ran.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'

interface Counted {
  readonly passed: number
  readonly failed: number
  /** Descriptions of the failures */
  readonly lines: readonly string[]
}

/** Limit for one failure message. Enough for expected and actual output of twenty specs. */
const maxCharacters = 6000

const results = process.argv.slice(2).map(countFile)
for (const line of results.flatMap(({ lines }) => lines)) console.log(line)
const passed = sum(results.map((result) => result.passed))
const failed = sum(results.map((result) => result.failed))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function countFile(file: string): Counted {
  try {
    return countResults(file, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    return { passed: 0, failed: 1, lines: [`No results in ${file}: ${String(error)}`] }
  }
}

function countResults(file: string, { numPassedTests, numFailedTests, testResults }: JsonTestResults): Counted {
  // Files that failed outside of any test, for example while loading.
  const brokenSuites = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  )
  const tests = testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ name, ...test })))
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenSuites.length,
    lines: [
      ...brokenSuites.map(({ name, message }) => describe({ file, testFile: name, message })),
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ name, fullName, failureMessages }) =>
          describe({ file, testFile: name, title: fullName, message: failureMessages?.[0] ?? '' }),
        ),
    ],
  }
}

interface Failure {
  /** The results file */
  readonly file: string
  readonly testFile: string
  readonly title?: string
  readonly message: string
}

function describe({ file, testFile, title = '', message }: Failure): string {
  const where = `${relative(process.cwd(), testFile)}${title && ` > ${title}`}`
  return `failed (${file}): ${where}\n${message.slice(0, maxCharacters).replaceAll(/^/gm, '    ')}\n`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
