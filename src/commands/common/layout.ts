import { plainText } from '../../system/text/plain-text.ts'
import type { Palette } from './palette.ts'

/** Lines moved to the right by two columns. */
export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}

/** The lines of a foreign text, made plain and indented. */
export function indentText(text: string): readonly string[] {
  return indent(plainText(text).split('\n'))
}

/** A status or outcome in its color. */
export function paintStatus(status: string, { bold, dim, green, red, yellow }: Palette): string {
  if (status === 'pass') return bold(green(status))
  if (status === 'fail') return bold(red(status))
  return status === 'blocked' ? bold(yellow(status)) : dim(status)
}
