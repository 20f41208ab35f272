import { killTree } from '../exec/kill-tree.ts'
import { killTreesNow } from '../exec/kill-trees.ts'
import { startWatchdog, type Watchdog } from '../exec/watchdog.ts'
import type { LiveTree } from './protocol.ts'

/** Every process tree of a run that is alive, with the watchdog that ends them should this process die. */
export interface LiveTrees {
  add(tree: LiveTree): void
  remove(pid: number): void
  /** Ends these trees: SIGTERM, then SIGKILL after `graceMs` milliseconds. */
  end(pids: Iterable<number>, graceMs: number): Promise<void>
  /** Ends all, synchronously, within about a second: for the `exit` event, in which nothing else runs any more. */
  endAllNow(): void
  /** Ends all, then the watchdog. */
  close(): Promise<void>
}

/** Time that is left to processes that outlive the run, in milliseconds: codex has mount points to remove. */
const closingGraceMs = 1_000

/** @param runMark mark that all processes of the run carry besides their own */
export function createLiveTrees(runMark: string): LiveTrees {
  const live = new Map<number, LiveTree>()
  let watchdog: Watchdog | undefined
  const remove = (pid: number): void => {
    if (live.delete(pid)) watchdog?.remove(pid)
  }
  const end = async (pids: Iterable<number>, graceMs: number): Promise<void> => {
    const trees = [...pids].flatMap((pid) => live.get(pid) ?? [])
    await Promise.all(trees.map((tree) => killTree({ ...tree, graceMs }).then(() => remove(tree.pid))))
  }
  return {
    add(tree) {
      watchdog ??= startWatchdog({ runMark })
      live.set(tree.pid, tree)
      watchdog.add(tree.pid)
    },
    remove,
    end,
    endAllNow() {
      if (live.size > 0)
        killTreesNow(
          { roots: [...live.keys()].map((pid) => ({ pid, startTime: undefined })), mark: runMark, since: undefined },
          { graceMs: closingGraceMs },
        )
    },
    async close() {
      await end(live.keys(), closingGraceMs)
      watchdog?.close()
    },
  }
}
