import { addBroken, addCounts } from './common/count-tests.ts'
import { readComparison } from './common/comparison.ts'
import { readCompileErrors } from './common/compile-errors.ts'
import { messageOf, type PlainReader } from './common/text.ts'
import type { FailingTest, RunnerResults } from '../runner.ts'
/** Maven's Surefire and Gradle. Gradle tells no counts where all tests passed. */
export const readPlainJvm: PlainReader = (text) => {
  const results = readMaven(text) ?? readGradle(text)
  const broken = readCompileErrors(text).filter(({ name }) => /\.(?:java|kts?|groovy|scala)$/.test(name))
  if (results === undefined && broken.length === 0) return undefined
  return addBroken(results ?? { counts: null, failingTests: [] }, broken)
}

function readMaven(text: string): RunnerResults | undefined {
  // Without a time: that of a module, not of a class.
  const summary = /^(?:\[\w+\] +)?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/gm
  const counts = [...text.matchAll(summary)].map((found) => {
    const [total = 0, failures = 0, errors = 0, skipped = 0] = found.slice(1).map(Number)
    return { passed: total - failures - errors - skipped, failed: failures + errors, skipped }
  })
  if (counts.length === 0) return undefined
  const failed = text.matchAll(/^\[ERROR\] {3}(\w[\w.$]*)(?::(\d+))?(?:->\S+)*(?: »)? (.+)$/gm)
  const failingTests = [...failed].map(([, name = '', line, message = '']): FailingTest => {
    return {
      name,
      ...(line !== undefined && { line: Number(line) }),
      message: messageOf(message),
      ...readComparison(message),
    }
  })
  return { counts: addCounts(counts), failingTests }
}

function readGradle(text: string): RunnerResults | undefined {
  // The end of the line comes first: with it last, a long line of `>` takes quadratic time.
  const failures = text.split(/^(?=\S.* FAILED$)(?=.* > .* FAILED$)/m).flatMap(failingTest)
  const summary = [...text.matchAll(/^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/gm)]
  if (summary.length === 0 && failures.length === 0) return undefined
  const counts = summary.map(([, total, failed = 0, skipped = 0]) => ({
    passed: Number(total) - Number(failed) - Number(skipped),
    failed: Number(failed),
    skipped: Number(skipped),
  }))
  return { counts: counts.length === 0 ? null : addCounts(counts), failingTests: failures }
}

function failingTest(section: string): readonly FailingTest[] {
  const name = /^(\S.* > .*) FAILED\n/.exec(section)?.[1]
  if (name === undefined) return []
  const message = messageOf(/^ {4}\S.*$/m.exec(section)?.[0] ?? '')
  const line = /^ {8}at \S*\.\w+:(\d+)/m.exec(section)?.[1]
  return [{ name, ...(line !== undefined && { line: Number(line) }), message, ...readComparison(message) }]
}
