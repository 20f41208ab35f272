import type { Writable } from 'node:stream'

/** Styles of a terminal; each gives back the text as it is where colors are off. */
export type Palette = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>>

export function createPalette(isOn: boolean): Palette {
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39) }
}

/** https://no-color.org */
export function hasColors(stdout: Writable, env: NodeJS.ProcessEnv): boolean {
  return 'isTTY' in stdout && stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
