import type { Edit } from './edit.ts'
import { isCommandLine, isExitCode, type OutputForm, writeLine } from './write-line.ts'

/**
 * Expected output as it has to be written for the output to match: all lines that still match stay as they are, with
 * their patterns and captures.
 */
export function rewriteLines(edits: readonly Edit[], form: OutputForm): readonly string[] {
  const kept = edits.filter(({ kind }) => kind !== 'lost')
  const readable = form === 'transcript' ? withoutExitCode(withoutContinuation(kept)) : kept
  const lines = readable.map((edit) => writeEdit(edit, form))
  // A fence with one blank line is as empty as one with none.
  return lines.length === 1 && lines[0] === '' ? [' (equal)'] : lines
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
