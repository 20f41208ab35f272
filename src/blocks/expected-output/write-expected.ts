import type { Edit } from './align-lines.ts'
import { type OutputForm, parseLine } from './parse-expected.ts'
import { escapeLine, needsEscape } from './escape-line.ts'
import { anyNoEol, noEol, type Output } from './output-lines.ts'

/** A line of rewritten expected output: the index (from 0) of an old line that stays, or a new line. */
export type RewrittenLine = number | string

/** Rewrites expected output so that it matches. Lines that still match stay, with their patterns and captures. */
export function rewriteLines(edits: readonly Edit[], form: OutputForm): readonly string[] {
  const texts = new Map(edits.flatMap((edit) => (edit.kind === 'kept' ? [[edit.index, edit.text]] : [])))
  return rewriteInPlace(edits, form).map((line) => (typeof line === 'number' ? (texts.get(line) ?? '') : line))
}

export function rewriteInPlace(edits: readonly Edit[], form: OutputForm): readonly RewrittenLine[] {
  const kept = edits.filter(({ kind }) => kind !== 'lost')
  const begun = form === 'fence' ? kept : withoutMisread(kept, () => 0, isCommandLine)
  const readable = form === 'fence' ? kept : withoutMisread(begun, lastFilled, isExitCode)
  const [first, ...rest] = readable
  // A fence with one blank line is read as empty, so the blank line needs a marker.
  if (first !== undefined && rest.length === 0 && writeEdit(first, form) === '') return [' (equal)']
  return readable.map((edit) => (edit.kind === 'kept' ? edit.index : writeEdit(edit, form)))
}

/** Returns transcript lines that match exactly this output. */
export function writeOutput({ lines, isUnfinished }: Output): readonly string[] {
  const edits = lines.map((line, index): Edit => ({
    kind: 'extra',
    line,
    isUnfinished: isUnfinished && index === lines.length - 1,
  }))
  return rewriteLines(edits, 'transcript')
}

export function writeEdit(edit: Edit, form: OutputForm): string {
  if (edit.kind !== 'extra') return edit.text
  const { line, isUnfinished } = edit
  const special = findSpecial(line, form)
  const isHidden = special !== undefined || needsEscape(line)
  const written = isHidden ? escapeAt(line, special) : writeVisible(line, form)
  return isUnfinished ? written + noEol : written
}

/** Escapes a kept line that would be read as something else: `> x` as part of the command, `[1]` as the exit code. */
function withoutMisread(
  edits: readonly Edit[],
  placeIn: (edits: readonly Edit[]) => number,
  isMisread: (line: string) => boolean,
): readonly Edit[] {
  const at = placeIn(edits)
  const edit = edits[at]
  if (edit?.kind !== 'kept' || !isMisread(edit.text)) return edits
  const escaped = edit.lines.map((line): Edit => ({ kind: 'extra', line, isUnfinished: false }))
  return withoutMisread([...edits.slice(0, at), ...escaped, ...edits.slice(at + 1)], placeIn, isMisread)
}

function lastFilled(edits: readonly Edit[]): number {
  return edits.findLastIndex((edit) => edit.kind === 'extra' || edit.text.trim() !== '')
}

function writeVisible(line: string, form: OutputForm): string {
  const { pattern, problems } = parseLine(line)
  const isPlain = problems.length === 0 && pattern.kind === 'text' && pattern.text === line
  const isMisread = anyNoEol.test(line) || (form !== 'fence' && isExitCode(line))
  return isPlain && !isMisread ? line : `${line} (equal)`
}

function isExitCode(line: string): boolean {
  return /^\[\d+\]\s*$/.test(line)
}

function isCommandLine(line: string): boolean {
  return /^[$>](?: |$)/.test(line)
}

/** Index of a character to escape, so that the line is not read as a fence, a command or a Vitest comment. */
function findSpecial(line: string, form: OutputForm): number | undefined {
  const fence = /^ {0,3}(?=```|~~~)/.exec(line)
  if (fence !== null) return fence[0].length
  if (form !== 'fence' && isCommandLine(line)) return 0
  return /@(?=(?:vitest|jest)-environment)/.exec(line)?.index
}

function escapeAt(line: string, special: number | undefined): string {
  if (special === undefined) return `${escapeLine(line)} (esc)`
  const character = `\\x${line.charCodeAt(special).toString(16)}`
  return `${escapeLine(line.slice(0, special))}${character}${escapeLine(line.slice(special + 1))} (esc)`
}
