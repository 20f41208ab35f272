import { addBroken } from '../common/add-broken.ts'
import { readComparison } from '../common/comparison.ts'
import { readCompileErrors } from '../common/compile-errors.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import type { PlainReader } from './plain-reader.ts'

/** `dotnet test`, with VSTest. */
export const readPlainDotnet: PlainReader = (text) => {
  const summary = /^[ \t]*(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +\d+/gm
  const counts = [...text.matchAll(summary)].map(([, failed, passed, skipped]) => ({
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
  }))
  const broken = readCompileErrors(text).filter(({ name }) => /\.(?:cs|fs|vb)$/.test(name))
  if (counts.length === 0 && broken.length === 0) return undefined
  const failures = text.split(/^ +Failed (?=\S.* \[[^\]]+\]$)/m).slice(1)
  return addBroken({ counts: addCounts(counts), failingTests: failures.map(failingTest) }, broken)
}

function failingTest(section: string): FailingTest {
  const name = /^(.*) \[/.exec(section)?.[1] ?? ''
  const message = messageOf(/^ +Error Message:\n([\s\S]*?)^ +Stack Trace:/m.exec(section)?.[1] ?? '')
  const [, file, line] = / in (\S.*?):line (\d+)/.exec(section) ?? []
  return { name, ...(file !== undefined && { file, line: Number(line) }), message, ...readComparison(message) }
}
