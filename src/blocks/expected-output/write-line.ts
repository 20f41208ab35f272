import { escapeBytes, escapeLine, needsEscape } from './escapes.ts'
import { hasNoEol, withNoEol } from './no-eol.ts'
import type { OutputForm } from './output-form.ts'
import { parseFormLine } from './parse-expected.ts'

/**
 * Writes a line of output as the line of expected output that stands for it and nothing else, in plain characters
 * wherever that is possible.
 */
export function writeLine(
  line: string,
  { form, isUnfinished }: { readonly form: OutputForm; readonly isUnfinished: boolean },
): string {
  const special = findSpecial(line, form)
  const isHidden = special !== undefined || needsEscape(line)
  // In scrut `(no-eol)` makes all before it literal, and `(esc)` leaves the newline out.
  if (form === 'scrut' && isUnfinished) return isHidden ? escapeAt(line, { special, form }) : withNoEol(line)
  const written = isHidden ? escapeAt(line, { special, form }) : writeVisible(line, form)
  return isUnfinished ? withNoEol(written) : written
}

function writeVisible(line: string, form: OutputForm): string {
  const { pattern, problems } = parseFormLine(line, form)
  const isPlain = problems.length === 0 && pattern.kind === 'text' && pattern.text === line
  const isMisread = hasNoEol(line) || (form !== 'fence' && isExitCode(line))
  return isPlain && !isMisread ? line : `${line} (equal)`
}

/** Whether a transcript or a test case of scrut would read the line as the exit code of the command above. */
export function isExitCode(line: string): boolean {
  return /^\[\d+\]\s*$/.test(line)
}

/** Whether a transcript or a test case of scrut would read the line as a command or the continuation of one. */
export function isCommandLine(line: string): boolean {
  return /^[$>](?: |$)/.test(line)
}

/** Of the character that would make something else of the line: of its fence, of the transcript, or of the spec. */
function findSpecial(line: string, form: OutputForm): number | undefined {
  const fence = /^ {0,3}(?=```|~~~)/.exec(line)
  if (fence !== null) return fence[0].length
  if (form !== 'fence' && isCommandLine(line)) return 0
  return /@(?=(?:vitest|jest)-environment)/.exec(line)?.index
}

function escapeAt(
  line: string,
  { special, form }: { readonly special: number | undefined; readonly form: OutputForm },
): string {
  const escape = form === 'scrut' ? escapeBytes : escapeLine
  if (special === undefined) return `${escape(line)} (esc)`
  const character = `\\x${line.charCodeAt(special).toString(16)}`
  return `${escape(line.slice(0, special))}${character}${escape(line.slice(special + 1))} (esc)`
}
