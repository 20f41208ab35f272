import type { Terminal as Emulator } from '@xterm/headless'
import type { TerminalSize } from './terminal.ts'

export interface Viewer {
  begin(size: TerminalSize): void
  write(chunk: Uint8Array): void
  resize(size: TerminalSize): void
}

export interface StillScreen extends Viewer {
  /** From now on only changed text restarts `stillMs`. Until then any output does, which needs no emulator. */
  watch(): void
  readonly stillMs: number
  close(): void
}

export function createStillScreen(): StillScreen {
  let size: TerminalSize = { cols: 80, rows: 24 }
  let sinceMs = performance.now()
  let shown = ''
  let emulator: Emulator | undefined
  let isWatching = false
  let isClosed = false

  const look = (opened: Emulator): void => {
    const now = wordsOn(opened)
    if (now !== shown) sinceMs = performance.now()
    shown = now
  }
  return {
    begin(given) {
      size = given
    },
    write(chunk) {
      const opened = emulator
      if (opened === undefined) sinceMs = performance.now()
      else opened.write(chunk, () => look(opened))
    },
    resize(given) {
      size = given
      sinceMs = performance.now()
      emulator?.resize(given.cols, given.rows)
    },
    watch() {
      if (isWatching) return
      isWatching = true
      void openEmulator(size).then((opened) => {
        if (isClosed) opened.dispose()
        else emulator = opened
      })
    },
    get stillMs() {
      return performance.now() - sinceMs
    },
    close() {
      isClosed = true
      emulator?.dispose()
      emulator = undefined
    },
  }
}

/** Loads the emulator on demand, because few sessions need one. */
async function openEmulator({ cols, rows }: TerminalSize): Promise<Emulator> {
  const { default: xterm } = await import('@xterm/headless')
  return new xterm.Terminal({ cols, rows, allowProposedApi: true })
}

function wordsOn({ buffer: { active }, rows }: Emulator): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  )
  return lines.join('\n')
}
