import { withoutLoneBytes } from '../../system/text/byte-text.ts'

/** How much of an output one answer shows: its first and its last lines. */
const headLines = 120
const tailLines = 80
const maxCharacters = 24_000
const maxLineCharacters = 2000

/** Tells how to get the lines of a text from a number on. */
type WayTo = (line: number) => string

/** Lines of a text from a number on, counted from 1, within the limits of an answer. */
export function shownFrom(text: string, from: number, wayTo: WayTo): string {
  const lines = linesOf(text)
  const { shown, next } = firstLines(lines, {
    from: Math.max(1, from),
    most: headLines + tailLines,
    characters: maxCharacters,
  })
  if (next > lines.length) return shown.join('\n')
  return [...shown, `… ${lines.length - next + 1} more lines: ${wayTo(next)}`].join('\n')
}

/** The whole output, or its head and tail with the way to the rest between them. */
export function shownOutput(output: string, wayTo: WayTo): string {
  const lines = linesOf(output)
  const isShort = lines.length <= headLines + tailLines && output.length <= maxCharacters
  if (isShort && lines.every(({ length }) => length <= maxLineCharacters)) return lines.join('\n')
  const { shown, next } = firstLines(lines, { from: 1, most: headLines, characters: maxCharacters / 2 })
  const tail = lastLines(lines, Math.min(tailLines, lines.length - next + 1), maxCharacters / 2)
  const left = lines.length - tail.length - next + 1
  const note = `… lines ${next} to ${next + left - 1} left out: ${wayTo(next)} …`
  return [...shown, ...(left > 0 ? [note] : []), ...tail].join('\n')
}

function linesOf(output: string): readonly string[] {
  return withoutLoneBytes(output).replace(/\n$/, '').split('\n')
}

interface Window {
  /** Number of the first line. */
  readonly from: number
  /** Lines at most. */
  readonly most: number
  readonly characters: number
}

function firstLines(
  lines: readonly string[],
  { from, most, characters }: Window,
): { readonly shown: readonly string[]; readonly next: number } {
  const shown: string[] = []
  let left = characters
  for (const line of lines.slice(from - 1, from - 1 + most)) {
    left -= Math.min(line.length, maxLineCharacters)
    if (left < 0 && shown.length > 0) break
    shown.push(cut(line))
  }
  return { shown, next: from + shown.length }
}

function lastLines(lines: readonly string[], most: number, characters: number): readonly string[] {
  const reversed = most <= 0 ? [] : lines.slice(-most).toReversed()
  return firstLines(reversed, { from: 1, most, characters }).shown.toReversed()
}

function cut(line: string): string {
  if (line.length <= maxLineCharacters) return line
  return `${line.slice(0, maxLineCharacters)}… (${line.length - maxLineCharacters} more characters in this line)`
}
