/** Watches the keys for Ctrl-C. */
export interface Interrupts {
  take(bytes: Uint8Array): void
}

/** Two within this time are meant for the run, in milliseconds; the agent gets both all the same. */
const pairMs = 1_000

/** As a byte, and as terminals write it that were asked to tell keys apart (kitty, xterm). */
const controlC = /\u0003|\u001b\[99;5(?::1)?u|\u001b\[27;5;99~/g

/** Calls `onPair` once, at the second Ctrl-C. */
export function createInterrupts(onPair: () => void): Interrupts {
  let lastMs = -Infinity
  let isOver = false
  return {
    take(bytes) {
      for (const _key of Buffer.from(bytes).toString('latin1').matchAll(controlC)) {
        const nowMs = performance.now()
        const isPair = nowMs - lastMs < pairMs
        lastMs = nowMs
        if (!isPair || isOver) continue
        isOver = true
        onPair()
      }
    },
  }
}
