import type { Edit } from './edit.ts'
import type { OutputForm } from './output-form.ts'
import { isCommandLine, isExitCode, writeLine } from './write-line.ts'

/** A line of rewritten expected output: the index of a line that stays as it is, from 0, or a new line. */
export type RewrittenLine = number | string

/**
 * Expected output as it has to be written for the output to match: all lines that still match stay as they are, with
 * their patterns and captures.
 */
export function rewriteLines(edits: readonly Edit[], form: OutputForm): readonly string[] {
  const texts = new Map(edits.flatMap((edit) => (edit.kind === 'kept' ? [[edit.index, edit.text]] : [])))
  return rewriteInPlace(edits, form).map((line) => (typeof line === 'number' ? (texts.get(line) ?? '') : line))
}

/** The same, saying which lines stay. */
export function rewriteInPlace(edits: readonly Edit[], form: OutputForm): readonly RewrittenLine[] {
  const kept = edits.filter(({ kind }) => kind !== 'lost')
  const readable = form === 'fence' ? kept : withoutExitCode(withoutContinuation(kept))
  const [first, ...rest] = readable
  // A fence with one blank line is as empty as one with none.
  if (first !== undefined && rest.length === 0 && writeEdit(first, form) === '') return [' (equal)']
  return readable.map((edit) => (edit.kind === 'kept' ? edit.index : writeEdit(edit, form)))
}

/** The line that an edit is or leads to. */
export function writeEdit(edit: Edit, form: OutputForm): string {
  return edit.kind === 'extra' ? writeLine(edit.line, { form, isUnfinished: edit.isUnfinished }) : edit.text
}

/** A kept line that has become the first one must not be read as a part of the command. */
function withoutContinuation(edits: readonly Edit[]): readonly Edit[] {
  const [first, ...rest] = edits
  return isKeptAs(first, isCommandLine) ? withoutContinuation([...toExtra(first), ...rest]) : edits
}

/** A kept line that has become the last one must not be read as the exit code. */
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

/** The lines of output themselves. */
function toExtra({ lines }: Kept): readonly Edit[] {
  return lines.map((line): Edit => ({ kind: 'extra', line, isUnfinished: false }))
}
