import type { JournalEntry } from '../../records/journal/journal.ts'
import { cutLine, plainLine, plainText } from '../../system/text/plain-text.ts'
import type { Palette } from '../common/palette.ts'

const maxExcerptLines = 3
const maxLineCharacters = 160

/** A tool call: time, kind, title and exit code, then the first lines of what it gave. */
export function formatCall(call: JournalEntry, palette: Palette): readonly string[] {
  const { at, kind, title, exitCode, denied, excerpt } = call
  const time = at.slice('2026-02-10T'.length, '2026-02-10T14:30:00'.length)
  const notes = [
    ...(denied ? [palette.yellow('refused')] : []),
    ...(exitCode === undefined ? [] : [exitCode === 0 ? palette.dim('exit 0') : palette.red(`exit ${exitCode}`)]),
  ]
  const head = `${palette.dim(`${time} ${kind}`)} ${cutLine(plainLine(title), maxLineCharacters)}`
  return [[head, ...notes].join('  '), ...excerptLines(excerpt).map((line) => palette.dim(`  | ${line}`))]
}

function excerptLines(excerpt: string): readonly string[] {
  const text = plainText(excerpt).trimEnd()
  if (text === '') return []
  const lines = text.split('\n')
  const shown = lines.slice(0, maxExcerptLines).map((line) => cutLine(line, maxLineCharacters))
  const left = lines.length - shown.length
  return left === 0 ? shown : [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`]
}
