import type { FailingTest } from '../../test-runners/runner.ts'
import { cutLine, plainLine, plainText } from '../../system/text/plain-text.ts'

const maxTextChars = 300
const maxNameChars = 500
const maxCount = 50

/** The first failing tests, each in few words, all in at most about `maxBytes` of JSON; and how many are left out. */
export function shortenFailures(
  failures: readonly FailingTest[],
  { maxBytes }: { readonly maxBytes: number },
): { readonly kept: readonly FailingTest[]; readonly leftOut: number } {
  const kept: FailingTest[] = []
  let bytes = 0
  for (const failure of failures.slice(0, maxCount)) {
    const short = shorten(failure)
    bytes += Buffer.byteLength(JSON.stringify(short)) + 1
    if (bytes > maxBytes) break
    kept.push(short)
  }
  return { kept, leftOut: failures.length - kept.length }
}

function shorten({ name, message, expected, received, standsFor: _standsFor, ...place }: FailingTest): FailingTest {
  return {
    name: cutLine(plainLine(name), maxNameChars),
    ...place,
    message: cutLine(plainLine(tellingLine(message)), maxTextChars),
    ...(expected !== undefined && { expected: cutLine(plainText(expected), maxTextChars) }),
    ...(received !== undefined && { received: cutLine(plainText(received), maxTextChars) }),
  }
}

/** The first line, but where that only announces the error or its place, the line that names it. */
function tellingLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim())
  const [first = '', next = ''] = lines.filter((line) => line !== '')
  if (/^\S*\w(?:Error|Exception)\b/.test(first)) return first
  if (first.endsWith(':')) return `${first} ${next}`
  const isPlace = /:\d+$|^File ".*", line \d+/.test(first)
  return (isPlace ? lines.find((line) => /^\w*(?:Error|Exception)\b.*: /.test(line)) : undefined) ?? first
}
