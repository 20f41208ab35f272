import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import type { PlainReader } from './plain-reader.ts'

const progress = /^\d\d+:\d\d \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (.*)$/gm

/** The reporters `compact` and `expanded` of `dart test` and `flutter test`. */
export const readPlainDart: PlainReader = (text) => {
  // `compact` writes over its own line.
  const lines = text.replaceAll('\r', '\n')
  const last = [...lines.matchAll(progress)].at(-1)
  if (last === undefined) return undefined
  const [, passed, skipped = 0, failed = 0] = last
  const counts = addCounts([{ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }])
  return { counts, failingTests: lines.split(/^(?=\d\d+:\d\d \+)/m).flatMap(failingTest) }
}

function failingTest(section: string): readonly FailingTest[] {
  const [head = '', ...body] = section.split('\n')
  const name = /^\d\S+ .*?-\d+: (.*) \[E\]$/.exec(head)?.[1]
  if (name === undefined) return []
  const frame = body
    .map((line) => /^ +(\S.*?\.dart) (\d+):\d+ /.exec(line))
    .find((found) => found && !found[1]?.startsWith('package:'))
  const trace = body.findIndex((line) => /^ +(?:dart:|package:|\S+\.dart)\S* \d+:\d+ /.test(line))
  const message = messageOf(body.slice(0, trace === -1 ? undefined : trace).join('\n'))
  const [, path, title] = /^(\S.*?_test\.dart): (.*)$/.exec(name) ?? []
  const file = frame?.[1] ?? path
  return [
    {
      name: title ?? name,
      ...(file !== undefined && { file }),
      ...(frame && { line: Number(frame[2]) }),
      message,
      ...readComparison(message),
    },
  ]
}
