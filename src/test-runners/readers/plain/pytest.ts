import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest, TestCounts } from '../../runner.ts'
import { countIn, maxFailures, type PlainReader } from './plain-reader.ts'

/** What pytest prints, also with `-q`. */
export const readPlainPytest: PlainReader = (text) => {
  const word = '(?:\\d+ (?:failed|passed|skipped|errors?|deselected|xfailed|xpassed|warnings?|rerun)|no tests ran)'
  const summary = new RegExp(`^(?:=+ )?(${word}(?:, ${word})*) in [\\d.]+s`, 'gm')
  const counts = [...text.matchAll(summary)].map(([, told = '']) => countsOf(told))
  if (counts.length === 0) return undefined
  const failed = [...text.matchAll(/^(?:FAILED|ERROR) (\S[^:\n]*?)(?:::(.+?))?(?: - (.*))?$/gm)].slice(0, maxFailures)
  const sections = text.split(/^_+ (?=.+ _+$)/m, 2 * maxFailures)
  return {
    counts: addCounts(counts),
    failingTests: failed.map(([, file = '', name, summarized = '']) =>
      failingTest(sections, { file, name, summarized }),
    ),
  }
}

function countsOf(told: string): Omit<TestCounts, 'total'> {
  return {
    passed: countIn(told, 'passed') + countIn(told, 'xpassed'),
    failed: countIn(told, 'failed') + countIn(told, 'errors?'),
    skipped: countIn(told, 'skipped') + countIn(told, 'xfailed'),
  }
}

function failingTest(
  sections: readonly string[],
  { file, name, summarized }: { readonly file: string; readonly name: string | undefined; readonly summarized: string },
): FailingTest {
  const title = name === undefined ? `ERROR collecting ${file}` : name.replaceAll('::', '.')
  const section = sections.find((each) => each.startsWith(`${title} _`)) ?? ''
  const errors = section.split('\n').filter((line) => /^E( |$)/.test(line))
  const message = messageOf(
    errors.length === 0 ? summarized : errors.map((line) => line.replace(/^E {0,7}/, '')).join('\n'),
  )
  const lines = [...section.matchAll(/^(\S.*?):(\d+): |File "(?:.*\/)?([^"]+?)", line (\d+)/gm)]
  const last = lines.findLast(([, path, , other]) => path === file || (other !== undefined && file.endsWith(other)))
  const line = last?.[2] ?? last?.[4]
  return {
    name: name ?? file,
    file,
    ...(line !== undefined && { line: Number(line) }),
    message,
    ...readComparison(message),
  }
}
