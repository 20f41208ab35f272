// Sums Vitest's JSON result files: `node scripts/count-results.mjs reports/test.json …` names what failed and what passed
// only at its second try, and ends with `N passed, N failed`.
// Exit code 1 where anything failed, a file is missing or broken, or nothing ran: no result is not a good result.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const files = process.argv.slice(2)
const results = files.map(readResults)
for (const line of results.flatMap(({ lines }) => lines)) console.log(line)
const passed = sum(results.map((result) => result.passed))
const failed = sum(results.map((result) => result.failed))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function readResults(file) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'))
    // A file whose suite broke outside of its tests: no failed test in it, and yet it failed.
    const brokenSuites = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
    )
    return {
      passed: numPassedTests,
      failed: numFailedTests + brokenSuites.length,
      lines: [
        ...brokenSuites.map(({ name, message }) => describe('failed', file, name, '', message)),
        ...testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ failureMessages }) => failureMessages?.length > 0)
            .map((test) =>
              describe(
                test.status === 'failed' ? 'failed' : 'passed at its second try',
                file,
                name,
                test.fullName,
                test.failureMessages[0],
              ),
            ),
        ),
      ],
    }
  } catch (error) {
    return { passed: 0, failed: 1, lines: [`No results in ${file}: ${error.message}`] }
  }
}

function describe(outcome, file, testFile, title, message) {
  const where = `${relative(process.cwd(), testFile)}${title && ` > ${title}`}`
  return `${outcome} (${file}): ${where}\n${message.slice(0, 2000).replaceAll(/^/gm, '    ')}\n`
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
