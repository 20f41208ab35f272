import { stripVTControlCharacters } from 'node:util'
import { plainText } from '../../system/text/plain-text.ts'
import type { TestRun } from './test-run.ts'

type Excerpt = Pick<TestRun, 'blocks' | 'tail' | 'excerpt'>

interface Range {
  readonly start: number
  readonly end: number
}

const failure =
  /\b(?:FAIL|FAILED|FAILURE|FATAL|ERROR)\b|\b\w*(?:Error|Exception)\b|\bfatal\b|\bpanic(?:ked)?\b|Traceback|\berror(?:\[\w+\]| TS\d+)?:|\bUnhandled|^\s*(?:[✗✖×✕❌]|not ok\b)|^E {2,}|^\s*(?:[Ee]xpected|[Rr]eceived|actual)\b/u

const foreignFrame = /^\s*at .*(?:\bnode:|[\\/]node_modules[\\/])/

/** Matches lines about passed tests: they are no failures, even if a test's name mentions an error. */
const success = /^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS)|\b(?:ok|PASSED)\s*$|\b0 (?:failed|errors?|failures?)\b/u

const maxBlocks = 10
const tailLines = 12

/** Cuts the last `maxBytes` of an output to lines about failures, the lines around them, and the last lines. */
export function makeExcerpt(output: string, { maxBytes }: { readonly maxBytes: number }): Excerpt {
  const lines = plainText(stripVTControlCharacters(lastLines(output, maxBytes)))
    .trimEnd()
    .split('\n')
    .filter((line) => !foreignFrame.test(line))
  const tail = { start: Math.max(0, lines.length - tailLines), end: lines.length }
  const failures = lines.flatMap((line, index) =>
    isFailure(line) ? [{ start: Math.max(0, index - 1), end: Math.min(lines.length, index + 9) }] : [],
  )
  const blocks = mergeRanges(failures).slice(-maxBlocks)
  const rangeText = ({ start, end }: Range): string => lines.slice(start, end).join('\n')
  return {
    blocks: blocks.map(rangeText),
    tail: rangeText(tail),
    excerpt: lastLines(joinRanges(mergeRanges([...blocks, tail]), rangeText), maxBytes),
  }
}

/** The last lines about failures in these blocks, as many as fit into `maxBytes`. */
export function makeShortExcerpt(blocks: readonly string[], { maxBytes }: { readonly maxBytes: number }): string {
  const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => isFailure(line))
  let bytes = 0
  const start = lines.findLastIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes) + 1
  return lines.slice(start).join('\n')
}

function isFailure(line: string): boolean {
  return failure.test(line) && !success.test(line)
}

/** The last `maxBytes` of a text in UTF-8. Drops a first character that is cut in half. */
export function lastBytes(bytes: Buffer, maxBytes: number): string {
  let start = Math.max(0, bytes.length - maxBytes)
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.toString('utf8', start)
}

/** Like `lastBytes`, but drops an incomplete first line, unless it is the only line. */
function lastLines(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const end = lastBytes(bytes, maxBytes)
  const lineEnd = end.indexOf('\n')
  return lineEnd === -1 || lineEnd === end.length - 1 ? end : end.slice(lineEnd + 1)
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || range.start > last.end + 1) merged.push(range)
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
  }
  return merged
}

function joinRanges(ranges: readonly Range[], rangeText: (range: Range) => string): string {
  let at = 0
  const parts = ranges.map((range) => {
    const leftOut = range.start - at
    at = range.end
    return leftOut > 0 ? `[… ${leftOut} lines]\n${rangeText(range)}` : rangeText(range)
  })
  return parts.join('\n')
}
