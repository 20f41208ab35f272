import type { Edit } from './align-lines.ts'
import { type OutputForm, parseLine } from './parse-expected.ts'
import { escapeLine, needsEscape } from './escape-line.ts'
import { anyNoEol, withNoEol, type Output } from './output-lines.ts'

/** A line of rewritten expected output: the index (from 0) of an old line that stays, or a new line. */
export type RewrittenLine = number | string

/** Rewrites expected output so that it matches. Lines that still match stay, with their patterns and captures. */
export function rewriteLines(edits: readonly Edit[], form: OutputForm): readonly string[] {
  const texts = new Map(edits.flatMap((edit) => (edit.kind === 'kept' ? [[edit.index, edit.text]] : [])))
  return rewriteInPlace(edits, form).map((line) => (typeof line === 'number' ? (texts.get(line) ?? '') : line))
}

export function rewriteInPlace(edits: readonly Edit[], form: OutputForm): readonly RewrittenLine[] {
  const kept = edits.filter(({ kind }) => kind !== 'lost')
  const readable = form === 'fence' ? kept : withoutExitCode(withoutContinuation(kept))
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
  return edit.kind === 'extra' ? writeLine(edit.line, { form, isUnfinished: edit.isUnfinished }) : edit.text
}

/** Escapes a kept line that is now the first line and would be read as part of the command, such as `> x`. */
function withoutContinuation(edits: readonly Edit[]): readonly Edit[] {
  const [first, ...rest] = edits
  return isKeptAs(first, isCommandLine) ? withoutContinuation([...toExtra(first), ...rest]) : edits
}

/** Escapes a kept line that is now the last line and would be read as the exit code, such as `[1]`. */
function withoutExitCode(edits: readonly Edit[]): readonly Edit[] {
  const at = edits.findLastIndex((edit) => edit.kind === 'extra' || edit.text.trim() !== '')
  const last = edits[at]
  return isKeptAs(last, isExitCode)
    ? withoutExitCode([...edits.slice(0, at), ...toExtra(last), ...edits.slice(at + 1)])
    : edits
}

type Kept = Extract<Edit, { kind: 'kept' }>

function isKeptAs(edit: Edit | undefined, isRead: (line: string) => boolean): edit is Kept {
  return edit?.kind === 'kept' && isRead(edit.text)
}

function toExtra({ lines }: Kept): readonly Edit[] {
  return lines.map((line): Edit => ({ kind: 'extra', line, isUnfinished: false }))
}

function writeLine(
  line: string,
  { form, isUnfinished }: { readonly form: OutputForm; readonly isUnfinished: boolean },
): string {
  const special = findSpecial(line, form)
  const isHidden = special !== undefined || needsEscape(line)
  const written = isHidden ? escapeAt(line, special) : writeVisible(line, form)
  return isUnfinished ? withNoEol(written) : written
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
