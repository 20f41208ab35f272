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
  return block.commands.some(({ expected }) => expected.some((line) => line !== '...'))
}

interface RecordingChange {
  /** Keys of the steps that go. */
  readonly gone: ReadonlySet<string>
  /** Keys of the steps that stay and say the same after other words: new by old. */
  readonly renamed: ReadonlyMap<string, string>
}

/**
 * The text of a recording without some steps, and with new keys for others. Empty where nothing is left of a file that
 * mdtest made.
 */
export function changeRecording(source: string, { steps }: Recording, { gone, renamed }: RecordingChange): string {
  const lines = new SourceLines(source)
  const left = steps.filter(({ key }) => !gone.has(key))
  for (const step of steps) {
    if (gone.has(step.key)) removeSection(lines, step.line, step.endLine)
    else giveNewKey(lines, step, renamed)
  }
  const scenarios = new Set(left.map(({ scenario }) => scenario))
  for (const { line, scenario, key } of steps) {
    if (!gone.has(key) || scenario === undefined || scenarios.has(scenario)) continue
    scenarios.add(scenario)
    removeTitle(lines, line)
  }
  const text = lines.toString()
  const isEmpty = /^\uFEFF?---\s*recording-of:[^\r\n]*\s*---\s*$/.test(text)
  return isEmpty ? '' : text
}

/** With the blank lines behind it, else those before it: one is between two that stay. */
function removeSection(lines: SourceLines, first: number, last: number): void {
  let end = last
  while (end < lines.count && lines.isBlank(end + 1)) end += 1
  let start = first
  if (end === lines.count) while (start > 1 && lines.isBlank(start - 1)) start -= 1
  lines.remove(start, end)
}

function giveNewKey(
  lines: SourceLines,
  { line, endLine, key }: RecordedStep,
  renamed: ReadonlyMap<string, string>,
): void {
  const other = renamed.get(key)
  if (other === undefined) return
  for (let at = line; at <= endLine; at += 1) {
    const text = lines.at(at)
    if (!new RegExp(`\\bkey="?${key}(?:[\\da-f]{8})?\\b`).test(text)) continue
    lines.change(at, text.replace(key, other))
    return
  }
}

/** The heading above a step of which nothing is left below. */
function removeTitle(lines: SourceLines, line: number): void {
  for (let at = line - 1; at >= 1; at -= 1) {
    if (!/^#\s/.test(lines.at(at))) continue
    removeSection(lines, at, at)
    return
  }
}
