import type { ProcessEntry } from '../process/trees/process-table.ts'
import { type TreeRoot, createTreeTracker, send } from '../process/trees/kill-trees.ts'

/**
 * While a program has the terminal, Ctrl-Z is a byte for it. A SIGTSTP sent to us stops its tree, then us; a SIGCONT wakes
 * both. The program gets our signals. A terminal that is gone (SIGHUP) ends the run as SIGTERM does.
 */
export function followJobControl(
  root: TreeRoot,
  mark: string,
  { onStop, onContinue }: { readonly onStop: () => void; readonly onContinue: () => void },
): { close(): void } {
  const tree = createTreeTracker({ roots: [root], mark, since: root.startTime })
  let stopped: readonly ProcessEntry[] = []
  const stop = (): void => {
    onStop()
    stopped = tree.findAlive()
    tree.stop(stopped)
    process.kill(process.pid, 'SIGSTOP')
  }
  const goOn = (): void => {
    tree.wake(stopped)
    stopped = []
    onContinue()
  }
  const interrupt = (): void => void send(-root.pid, ['SIGINT'])
  let isHungUp = false
  const hangUp = (): void => {
    isHungUp = true
    send(-root.pid, ['SIGHUP'])
    process.kill(process.pid, 'SIGTERM')
  }
  const ignore = (): void => undefined
  const listeners = [
    ['SIGTSTP', stop],
    ['SIGCONT', goOn],
    ['SIGHUP', hangUp],
    // The second one must not end us before the terminal is put back.
    ['SIGINT', interrupt],
    // The end of the run brings it to the whole tree.
    ['SIGTERM', ignore],
  ] as const // pairs of name and listener
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    close() {
      for (const [signal, listener] of listeners) process.off(signal, listener)
      // The run is about to end as SIGTERM ends it: a second one must not end us in the middle of that.
      if (isHungUp) process.on('SIGHUP', ignore)
    },
  }
}

/** Two within this time are meant for the run; the agent gets both all the same. */
const pairMs = 1_000

/** A byte, or the sequence of terminals that were asked to tell keys apart (kitty, xterm). */
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
