// Sums Vitest's JSON result files: `scripts/start scripts/count-results.ts reports/test.json …` names what failed, and
// ends with `N passed, N failed`.
// Exit code 1 where anything failed, a file is missing or broken, or nothing ran: no result is not a good result.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'

interface Counted {
  readonly passed: number
  readonly failed: number
  /** What failed. */
  readonly lines: readonly string[]
}

/** Of a message: enough for what was expected, and what came, of twenty specs. */
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
  // A file whose suite broke outside of its tests: no failed test in it, and yet it failed.
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
  /** Of results. */
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
