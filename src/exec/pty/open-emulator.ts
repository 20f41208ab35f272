import type { Terminal as Emulator } from '@xterm/headless'
import type { TerminalSize } from './terminal.ts'

const scrollbackRows = 100

/**
 * A terminal without a screen, for what programs draw. The package is optional: nothing else needs it.
 *
 * @throws {Error} with what to install, as a part of a sentence
 */
export async function openEmulator({ cols, rows }: TerminalSize): Promise<Emulator> {
  const loaded = await import('@xterm/headless').catch((cause: unknown) => {
    const message =
      'to search its screen for secrets the package `@xterm/headless` is needed, which is not installed: install with optional dependencies (no `--omit=optional`)'
    throw new Error(message, { cause })
  })
  return new loaded.default.Terminal({ cols, rows, scrollback: scrollbackRows, allowProposedApi: true })
}
