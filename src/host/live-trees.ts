import { killTree } from '../exec/kill-tree.ts'
import { killTreesNow } from '../exec/kill-trees.ts'
import { createRunFolder } from '../exec/run-folder.ts'
import { startWatchdog, type Watchdog } from '../exec/watchdog.ts'
import type { LiveTree } from './protocol.ts'

/** All that a run must not leave: its process trees and its folder, with the watchdog that ends them should we die. */
export interface LiveTrees {
  /** Makes an empty directory in the folder of the run. Absolute, real path. */
  makeTempDir(): string
  add(tree: LiveTree): void
  remove(pid: number): void
  /** Ends these trees: SIGTERM, then SIGKILL after `graceMs` milliseconds. */
  end(pids: Iterable<number>, graceMs: number): Promise<void>
  /** Ends and removes all, synchronously, within about a second: for the `exit` event, in which nothing else runs any more. */
  endAllNow(): void
  /** Ends and removes all, then ends the watchdog. */
  close(): Promise<void>
}

/** Time that is left to processes that outlive the run, in milliseconds: codex has mount points to remove. */
const closingGraceMs = 1_000

/** @param runMark mark that all processes of the run carry besides their own */
export function createLiveTrees(runMark: string): LiveTrees {
  const live = new Map<number, LiveTree>()
  const folder = createRunFolder(runMark)
  let watchdog: Watchdog | undefined
  const watch = (): Watchdog => (watchdog ??= startWatchdog({ runMark, folder: folder.path() }))
  const remove = (pid: number): void => {
    if (live.delete(pid)) watchdog?.remove(pid)
  }
  const end = async (pids: Iterable<number>, graceMs: number): Promise<void> => {
    const trees = [...pids].flatMap((pid) => live.get(pid) ?? [])
    await Promise.all(trees.map((tree) => killTree({ ...tree, graceMs }).then(() => remove(tree.pid))))
  }
  return {
    makeTempDir() {
      watch()
      return folder.makeSubfolder()
    },
    add(tree) {
      live.set(tree.pid, tree)
      watch().add(tree.pid)
    },
    remove,
    end,
    endAllNow() {
      if (live.size > 0)
        killTreesNow(
          { roots: [...live.keys()].map((pid) => ({ pid, startTime: undefined })), mark: runMark, since: undefined },
          { graceMs: closingGraceMs },
        )
      folder.remove()
    },
    async close() {
      await end(live.keys(), closingGraceMs)
      folder.remove()
      watchdog?.close()
    },
  }
}
