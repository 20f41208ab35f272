import type { Terminal as Emulator } from '@xterm/headless'
import type { TerminalSize } from './terminal.ts'

const scrollbackRows = 100

/** A terminal without a screen, for what programs draw. Loaded when it is needed: few sessions have one. */
export async function openEmulator({ cols, rows }: TerminalSize): Promise<Emulator> {
  const { default: xterm } = await import('@xterm/headless')
  return new xterm.Terminal({ cols, rows, scrollback: scrollbackRows, allowProposedApi: true })
}
