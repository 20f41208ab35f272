import { isTelling } from '../blocks/expectations-of.ts'
import type { Block } from '../spec.ts'
import type { Recording, RecordedStep } from './recording.ts'
import { SourceLines } from './source-lines.ts'

/**
 * The blocks of a recorded step as markdown for a spec: with `verify` where something is expected of what they print,
 * else `run`.
 *
 * @param source text of the recording
 */
export function blocksForSpec({ line, endLine, blocks }: RecordedStep, source: string): readonly string[] {
  const lines = new SourceLines(source)
  for (const block of blocks) {
    const text = lines.at(block.line)
    lines.change(
      block.line,
      text.replace(/(`{3,}|~{3,})([ \t]*\S+)/, (info) => `${info}${roleOf(block, text)}`),
    )
  }
  const body = Array.from({ length: endLine - line }, (_, index) => lines.at(line + 1 + index)).join('\n')
  return body
    .replace(/<!--\s*mdtest\s*:[^]*?-->/i, '')
    .replace(/^\s*\n|\s+$/g, '')
    .split('\n')
}

function roleOf(block: Block, info: string): string {
  if (block.kind === 'file' || /[ \t](?:run|verify)(?=[ \t]|$)/.test(info)) return ''
  return expectsSomething(block) ? ' verify' : ' run'
}

function expectsSomething(block: Block): boolean {
  if (block.attributes.background === true || block.kind === 'file') return false
  if (block.kind === 'script') return block.expected.length > 0
  if (block.kind !== 'console') return true
  return block.commands.some(({ expected }) => expected.some(isTelling))
}

/**
 * The text of a recording whose steps have other keys. Empty where nothing is left of a file that mdtest made.
 *
 * @param keys new ones by old: of none the step goes, of several there is one for each; a step whose key is not in it
 *   stays as it is
 */
export function changeRecording(
  source: string,
  { steps }: Recording,
  keys: ReadonlyMap<string, ReadonlySet<string>>,
): string {
  const lines = new SourceLines(source)
  const wanted = (key: string): ReadonlySet<string> => keys.get(key) ?? new Set([key])
  const taken = new Set(steps.flatMap(({ key }) => (wanted(key).has(key) ? key : [])))
  const scenarios = new Set<string | undefined>([undefined])
  const removed: RecordedStep[] = []
  for (const step of steps) {
    const { line, endLine, key, scenario } = step
    const isKept = wanted(key).has(key)
    const others = [...wanted(key)].filter((one) => !taken.has(one))
    for (const one of others) taken.add(one)
    const copies = others.map((one) => linesWithKey(lines, step, one))
    if (!isKept) {
      const [first] = copies.splice(0, 1)
      if (first) for (const [index, text] of first.entries()) lines.change(line + index, text)
      else removed.push(step)
    }
    lines.insert(
      endLine + 1,
      copies.flatMap((copy) => ['', ...copy]),
    )
    if (isKept || others.length > 0) scenarios.add(scenario)
  }
  for (const { line, endLine, scenario } of removed) {
    removeSection(lines, line, endLine)
    if (scenarios.has(scenario)) continue
    scenarios.add(scenario)
    removeTitle(lines, line)
  }
  const text = lines.toString()
  const isEmpty = /^\uFEFF?---\s*recording-of:[^\r\n]*\s*(?:keys:[^\r\n]*\s*)?---\s*$/.test(text)
  return isEmpty ? '' : text
}

/** What stands there of a step, with another key. */
function linesWithKey(lines: SourceLines, { line, endLine, key }: RecordedStep, other: string): readonly string[] {
  const own = Array.from({ length: endLine - line + 1 }, (_, index) => lines.at(line + index))
  const marked = own.findIndex((text) => new RegExp(`\\bkey="?${key}(?:[\\da-f]{8})?\\b`).test(text))
  return own.map((text, index) => (index === marked ? text.replace(key, other) : text))
}

/** With the blank lines behind it, else those before it: one is between two that stay. */
function removeSection(lines: SourceLines, first: number, last: number): void {
  let end = last
  while (end < lines.count && lines.isBlank(end + 1)) end += 1
  let start = first
  if (end === lines.count) while (start > 1 && lines.isBlank(start - 1)) start -= 1
  lines.remove(start, end)
}

/** The heading above a step of which nothing is left below. */
function removeTitle(lines: SourceLines, line: number): void {
  for (let at = line - 1; at >= 1; at -= 1) {
    if (!/^#\s/.test(lines.at(at))) continue
    removeSection(lines, at, at)
    return
  }
}
