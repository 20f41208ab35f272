import type { ProcessEntry } from '../process/trees/process-table.ts'
import { type TreeRoot, createTreeTracker, send } from '../process/trees/kill-trees.ts'

/**
 * Passes signals on while a program has the terminal. SIGTSTP stops the program's tree, then this process; SIGCONT
 * wakes both. SIGINT and SIGHUP go to the program; SIGHUP (the terminal is gone) also ends the run like SIGTERM.
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
    // Without a listener, SIGINT would end this process before the terminal is restored.
    ['SIGINT', interrupt],
    // Ignored here, because the end of the run sends it to the whole tree.
    ['SIGTERM', ignore],
  ] as const // pairs of name and listener
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    close() {
      for (const [signal, listener] of listeners) process.off(signal, listener)
      // After a SIGHUP the run is already ending; a second SIGHUP must not interrupt that.
      if (isHungUp) process.on('SIGHUP', ignore)
    },
  }
}
