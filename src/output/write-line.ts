import { escapeLine, needsEscape } from './escapes.ts'
import { parseLine } from './parse-line.ts'
import { hasNoEol, withNoEol } from './parse-expected.ts'

/** Where expected output stands: below its command, or in a fence of its own. */
export type OutputForm = 'transcript' | 'fence'

/**
 * Writes a line of output as the line of expected output that stands for it and nothing else, in plain characters
 * wherever that is possible.
 */
export function writeLine(
  line: string,
  { form, isUnfinished }: { readonly form: OutputForm; readonly isUnfinished: boolean },
): string {
  const written = writeFinished(line, form)
  return isUnfinished ? withNoEol(written) : written
}

function writeFinished(line: string, form: OutputForm): string {
  const special = findSpecial(line, form)
  if (special !== undefined || needsEscape(line)) return `${escapeAt(line, special)} (esc)`
  const { pattern, problems } = parseLine(line)
  const isPlain = problems.length === 0 && pattern.kind === 'text' && pattern.text === line
  const isMisread = hasNoEol(line) || (form === 'transcript' && isExitCode(line))
  return isPlain && !isMisread ? line : `${line} (equal)`
}

/** Whether a transcript would read the line as the exit code of the command above. */
export function isExitCode(line: string): boolean {
  return /^\[\d+\]\s*$/.test(line)
}

/** Whether a transcript would read the line as a command or the continuation of one. */
export function isCommandLine(line: string): boolean {
  return /^[$>](?: |$)/.test(line)
}

/** Of the character that would make something else of the line: of its fence, of the transcript, or of the spec. */
function findSpecial(line: string, form: OutputForm): number | undefined {
  const fence = /^ {0,3}(?=```|~~~)/.exec(line)
  if (fence !== null) return fence[0].length
  if (form === 'transcript' && isCommandLine(line)) return 0
  return /@(?=(?:vitest|jest)-environment)/.exec(line)?.index
}

function escapeAt(line: string, index: number | undefined): string {
  if (index === undefined) return escapeLine(line)
  const character = `\\x${line.charCodeAt(index).toString(16)}`
  return `${escapeLine(line.slice(0, index))}${character}${escapeLine(line.slice(index + 1))}`
}
