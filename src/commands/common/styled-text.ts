import { plainText } from '../../system/text/plain-text.ts'
import type { Writable } from 'node:stream'

export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}

export function indentText(text: string): readonly string[] {
  return indent(plainText(text).split('\n'))
}

export function paintStatus(status: string, { bold, dim, green, red, yellow }: Palette): string {
  if (status === 'pass') return bold(green(status))
  if (status === 'fail') return bold(red(status))
  return status === 'blocked' ? bold(yellow(status)) : dim(status)
}

export interface Style {
  readonly cwd: string
  readonly palette: Palette
}

export type Palette = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>>

export function createPalette(isOn: boolean): Palette {
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39) }
}

export function hasColors(stdout: Writable, env: NodeJS.ProcessEnv): boolean {
  return 'isTTY' in stdout && stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
