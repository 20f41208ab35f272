import { expect, test } from 'vitest'
import { startInTerminal } from '../../../src/system/terminal/run-in-terminal.ts'
import type { Terminal } from '../../../src/system/terminal/terminal.ts'

/** Shows nothing: gives what was written to it. */
function openTerminal(): { readonly terminal: Terminal; read(): string } {
  const written: Buffer[] = []
  const taken = {
    ...{ size: { cols: 80, rows: 24 }, name: 'xterm' },
    write: (bytes: Uint8Array) => void written.push(Buffer.from(bytes)),
    ...{ onInput() {}, onResize() {}, giveBack() {} },
  }
  return {
    terminal: { take: () => taken } as unknown as Terminal, // what a run needs of it
    read: () => Buffer.concat(written).toString(),
  }
}

test.each([20, 200])('the end of %i kB is shown, though the program ends at once', async (kilobytes) => {
  for (let count = 0; count < 5; count += 1) {
    const { terminal, read } = openTerminal()
    const running = startInTerminal(
      {
        argv: ['bash', '-c', `head -c ${kilobytes}000 /dev/zero | tr '\\0' x; printf END`],
        cwd: '/',
        env: { PATH: process.env.PATH ?? '' },
      },
      {
        ...{ terminal, hardTimeoutMs: 60_000, silenceTimeoutMs: 60_000, graceMs: 1_000, mark: `end-${process.pid}` },
        ...{ adopt() {}, guardTerminal() {}, onInterrupt() {} },
      },
    )
    const { end, tail } = await running.ended
    expect([end, read().length, tail.slice(-3)]).toEqual([{ reason: 'exit', exitCode: 0 }, kilobytes * 1000 + 3, 'END'])
  }
})
