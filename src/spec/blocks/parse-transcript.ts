import type { Report } from '../rules/spec-rules.ts'
import type { Place, TranscriptCommand } from '../spec.ts'

interface Entry {
  readonly line: number
  readonly command: string[]
  readonly output: string[]
}

/** Reads a `console` block. `column`: where the lines of `code` begin in the markdown. */
export function parseTranscript(
  code: string,
  { codeLine, column }: { readonly codeLine: number; readonly column: number },
  report: Report,
): readonly TranscriptCommand[] {
  const entries: Entry[] = []
  for (const [index, text] of code.split('\n').entries()) {
    const place = { line: codeLine + index, column }
    if (text === '$' || text.startsWith('$ ')) entries.push(openEntry(text, place, report))
    else if (!addLine(entries.at(-1), text)) {
      report('output-before-command', place, 'A line stands before the first command. Begin each command with `$ `.')
      return []
    }
  }
  if (entries.length === 0) {
    report('empty-transcript', { line: codeLine - 1, column }, 'The transcript has no command. Add a `$ ` line.')
  }
  return entries.map((entry) => toCommand(entry, column, report))
}

function openEntry(text: string, place: Place, report: Report): Entry {
  const command = text.slice(2)
  if (command.trim() === '') report('empty-command', place, 'The `$` has no command. Write one, or take the line away.')
  return { line: place.line, command: [command], output: [] }
}

function addLine(entry: Entry | undefined, text: string): boolean {
  if (entry === undefined) return text.trim() === ''
  if (entry.output.length > 0) entry.output.push(text)
  else if (text === '>' || text.startsWith('> ')) entry.command.push(text.slice(2))
  else if (isContinued(entry.command.at(-1) ?? '')) entry.command.push(text)
  else entry.output.push(text)
  return true
}

/** Whether the command continues on the next line: the line ends with a backslash that is not escaped. */
function isContinued(line: string): boolean {
  return /(?<!\\)(?:\\\\)*\\$/.test(line)
}

function toCommand(entry: Entry, column: number, report: Report): TranscriptCommand {
  const command = entry.command.join('\n')
  if (isContinued(entry.command.at(-1) ?? '')) {
    const place = { line: entry.line + entry.command.length - 1, column }
    report('unfinished-command', place, 'A `\\` at the end of the line continues the command, and nothing follows.')
  }
  const last = entry.output.findLastIndex((text) => text.trim() !== '')
  const match = /^\[(\d+)\]\s*$/.exec(entry.output[last] ?? '')
  if (match === null) return { command, line: entry.line, expected: entry.output, exitCode: 0 }
  const exitCode = Number(match[1])
  if (exitCode > 255) {
    const place = { line: entry.line + entry.command.length + last, column }
    report('bad-exit-code', place, `Exit codes are 0 to 255, got \`${match[0].trim()}\`.`)
  }
  return { command, line: entry.line, expected: entry.output.slice(0, last), exitCode }
}
