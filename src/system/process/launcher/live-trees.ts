import { refuseDebugger } from '../../refuse-debugger.ts'
import { endAbandonedRuns, createRunFolder } from './run-folder.ts'
import type { TreeRoot } from '../trees/find-tree.ts'
import { killTree, killTreesNow } from '../trees/kill-trees.ts'
import { type Launcher, type LauncherAddress, startLauncher } from './launcher.ts'
import type { TerminalState } from './put-back-terminal.ts'
import { createRunGuard } from './run-guard.ts'

/** The root of a process tree, started detached, and the mark that only this tree carries. */
export interface LiveTree {
  readonly pid: number
  readonly mark: string
}

/** All that a run must not leave: its process trees and its folder, with the launcher that ends them should we die. */
export interface LiveTrees {
  /**
   * Starts the launcher, where it does not run, and waits until it can be asked.
   *
   * @throws MdtestError `EXEC_LAUNCHER_FAILED`
   */
  launcher(): Promise<LauncherAddress>
  /** Makes an empty directory in the folder of the run. Absolute, real path. */
  makeTempDir(): string
  /** The same for a browser, which puts sockets there. */
  makeBrowserDir(): string
  add(tree: LiveTree): void
  /** Tells the launcher of a program that was started without it. */
  adopt(root: TreeRoot): void
  /** Tells the launcher how to put the terminal back; absent where it is as it was. */
  guardTerminal(state: TerminalState | undefined): void
  remove(pid: number): void
  /** Ends these trees: SIGTERM, then SIGKILL after `graceMs` milliseconds. */
  end(pids: Iterable<number>, graceMs: number): Promise<void>
  /** Ends and removes all, synchronously, within about a second: for the `exit` event, in which nothing else runs any more. */
  endAllNow(): void
  /** Ends and removes all, the launcher too. */
  close(): Promise<void>
}

/** Time that is left to processes that outlive the run, in milliseconds: codex has mount points to remove. */
const closingGraceMs = 1_000

export interface LiveTreesOptions {
  /** Whether standard output is a terminal that is handed to agents. Default: no. */
  readonly hasTerminal?: boolean
}

/** Once in a process. */
let abandonedEnded: Promise<void> | undefined

/** @param runMark mark that all processes of the run carry besides their own */
export function createLiveTrees(runMark: string, { hasTerminal = false }: LiveTreesOptions = {}): LiveTrees {
  // What is started here may send signals to us.
  refuseDebugger()
  const live = new Map<number, LiveTree>()
  const folder = createRunFolder(runMark)
  const guard = createRunGuard(runMark, () => folder.paths())
  let launcher: Launcher | undefined
  const start = (): Launcher =>
    startLauncher({ runMark, socketPath: folder.makeSocketPath(), folders: folder.paths(), hasTerminal })
  const remove = (pid: number): void => {
    if (!live.delete(pid)) return
    launcher?.forget(pid)
    guard.remove(pid)
  }
  const end = async (pids: Iterable<number>, graceMs: number): Promise<void> => {
    const trees = [...pids].flatMap((pid) => live.get(pid) ?? [])
    await Promise.all(trees.map((tree) => killTree({ ...tree, graceMs }).then(() => remove(tree.pid))))
  }
  return {
    async launcher() {
      if (launcher === undefined || launcher.hasEnded()) launcher = start()
      const current = launcher
      await current.ready
      guard.watch(current)
      // Nobody waits for it.
      abandonedEnded ??= endAbandonedRuns()
      return current.address
    },
    makeTempDir: () => folder.makeSubfolder(),
    makeBrowserDir: () => folder.makeBrowserFolder(),
    add(tree) {
      live.set(tree.pid, tree)
      guard.add(tree.pid)
    },
    adopt: (root) => launcher?.adopt(root),
    guardTerminal: (state) => launcher?.guardTerminal(state),
    remove,
    end,
    endAllNow() {
      // The launcher may have started programs that we have not heard of yet.
      if (launcher !== undefined)
        killTreesNow(
          { roots: [...live.keys()].map((pid) => ({ pid, startTime: undefined })), mark: runMark, since: undefined },
          { graceMs: closingGraceMs },
        )
      folder.remove()
    },
    async close() {
      await end(live.keys(), closingGraceMs)
      guard.close()
      launcher?.close()
      folder.remove()
    },
  }
}
