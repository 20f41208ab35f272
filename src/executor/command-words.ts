import type { LineWord } from './read-line.ts'

/** A command as rules read it: one blank between words, the program without quotes. */
export function textOf([program, ...args]: readonly LineWord[]): string {
  const { value = '', text = '' } = program ?? {}
  return [/[\s'"\\]/.test(value) || value === '' ? text : value, ...args.map((arg) => arg.text)].join(' ')
}

/** A word that stands for itself. */
function wordOf(text: string): LineWord {
  return { text, value: text, isPattern: false }
}

/** A program and its arguments as rules read them. */
export function commandText(name: string, args: readonly LineWord[]): string {
  return textOf([wordOf(name), ...args])
}

/** A text for a message, on one line and not too long. */
export function show(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``
}

/** Takes off what only starts another command: `timeout 5`, `time`, `nice -n 5`, `nohup`. */
export function unwrap(words: readonly LineWord[]): readonly LineWord[] {
  const [program, ...args] = words
  if (!/^(?:timeout|time|nice|nohup)$/.test(program?.value ?? '')) return words
  const at = args.findIndex(({ value }) => value === undefined || !/^(?:-.*|[\d.]+[smhd]?|[A-Z]{3,9})$/.test(value))
  return at === -1 ? words : unwrap(args.slice(at))
}
