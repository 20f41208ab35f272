import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import { countIn, type PlainReader } from './plain-reader.ts'

/** Playwright's reporters `list`, `line` and `dot`. */
export const readPlainPlaywright: PlainReader = (text) => {
  const start = text.search(/^Running \d+ tests? using \d+ workers?/m)
  if (start === -1) return undefined
  const summary = [
    ...text.slice(start).matchAll(/^ {2}\d+ (?:failed|flaky|skipped|passed|did not run|interrupted)\b/gm),
  ].join('\n')
  const counts = addCounts([
    {
      passed: countIn(summary, 'passed') + countIn(summary, 'flaky'),
      failed: countIn(summary, 'failed') + countIn(summary, 'interrupted'),
      skipped: countIn(summary, 'skipped') + countIn(summary, 'did not run'),
    },
  ])
  const sections = text
    .slice(start)
    .split(/^ {2}\d+\) /m)
    .slice(1)
  return { counts, failingTests: sections.flatMap(failingTest) }
}

function failingTest(section: string): readonly FailingTest[] {
  const head = /^(\[[^\]]+\] › )?(\S.*?):(\d+):\d+ › (.+?)[ ─]*$/m.exec(section)
  if (head === null) return []
  const [whole, project = '', file = '', line, titles = ''] = head
  const body = section.slice(head.index + whole.length).split(/^ +(?:> )?\d+ \|/m, 1)[0] ?? ''
  const found = /^ +at (?:.*\()?\S*?:(\d+):\d+\)?$/m.exec(section)?.[1]
  const message = messageOf(body)
  return [
    {
      name: `${project}${titles}`.replaceAll(' › ', ' > '),
      file,
      line: Number(found ?? line),
      message,
      ...readComparison(message),
    },
  ]
}
