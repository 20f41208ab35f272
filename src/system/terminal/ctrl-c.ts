/** Pressing Ctrl-C twice within this time ends the run. The agent still gets both key presses. */
const pairMs = 1_000

/** Ctrl-C as a byte, or as an escape sequence if the keyboard protocol of kitty or xterm is on. */
const controlC = /\u0003|\u001b\[99;5(?::1)?u|\u001b\[27;5;99~/g

export function createInterrupts(onPair: () => void): (bytes: Uint8Array) => void {
  let lastMs = -Infinity
  let isOver = false
  return (bytes) => {
    for (const _key of Buffer.from(bytes).toString('latin1').matchAll(controlC)) {
      const nowMs = performance.now()
      const isPair = nowMs - lastMs < pairMs
      lastMs = nowMs
      if (!isPair || isOver) continue
      isOver = true
      onPair()
    }
  }
}
