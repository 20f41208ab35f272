// Sums Vitest's JSON result files: `node scripts/count-results.mjs reports/test.json …` ends with `N passed, N failed`.
// Exit code 1 where anything failed, a file is missing or broken, or nothing ran: no result is not a good result.
import { readFileSync } from 'node:fs'

const files = process.argv.slice(2)
const counts = files.map(countFile)
const passed = sum(counts.map((count) => count.passed))
const failed = sum(counts.map((count) => count.failed))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function countFile(file) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'))
    // A file whose suite broke outside of its tests: no failed test in it, and yet it failed.
    const brokenSuites = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
    )
    return { passed: numPassedTests, failed: numFailedTests + brokenSuites.length }
  } catch (error) {
    console.error(`No results in ${file}: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
