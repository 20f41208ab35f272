import { endAbandonedRuns, createRunFolder } from './run-folder.ts'
import { type TreeRoot, killTrees, killTreesNow } from '../trees/kill-trees.ts'
import { startLauncher } from './launcher.ts'
import type { Launcher, LauncherAddress, LauncherSettings, TerminalState } from './launcher.ts'
import type { Socket } from 'node:net'
import { launch, type Program } from './launch.ts'
import { readStartTime } from '../trees/process-table.ts'
import { refuseDebugger, flagsWithoutDebugger, ownFile } from '../../mdtest-package.ts'

export interface LiveTree {
  readonly pid: number
  readonly mark: string
}

export interface LiveTrees {
  launcher(): Promise<LauncherAddress>
  makeTempDir(): string
  makeBrowserDir(): string
  add(tree: LiveTree): void
  adopt(root: TreeRoot): void
  guardTerminal(state: TerminalState | undefined): void
  remove(pid: number): void
  end(pids: Iterable<number>, graceMs: number): Promise<void>
  /** For the `exit` event: ends all trees and removes the folders synchronously, within about a second. */
  endAllNow(): void
  close(): Promise<void>
}

/** Codex needs this time to remove its mount points. */
const closingGraceMs = 1_000

let abandonedEnded: Promise<void> | undefined

export function createLiveTrees(runMark: string, { hasTerminal = false } = {}): LiveTrees {
  // Programs started here must not open our debugger with SIGUSR1.
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
    await Promise.all(
      trees.map((tree) => killTrees({ roots: [tree], mark: tree.mark, graceMs }).then(() => remove(tree.pid))),
    )
  }
  return {
    async launcher() {
      if (launcher === undefined || launcher.hasEnded()) launcher = start()
      const current = launcher
      await current.ready
      guard.watch(current)
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
      const roots = [...live.keys()].map((pid) => ({ pid }))
      if (launcher !== undefined) killTreesNow({ roots, mark: runMark }, { graceMs: closingGraceMs })
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

/**
 * Keeps the lines that the launcher gets, see `launcher-main.ts`. If the input ends without `bye`, mdtest was killed.
 * The launcher then ends this shell within half a second. If not, the shell starts a new launcher with the kept lines.
 */
const script = `told=
while IFS= read -r line; do
  case $line in
    bye) exit 0 ;;
    '{'*) told=$line ;;
    *) told="$told
$line" ;;
  esac
done
sleep 0.5
printf '%s\\n' "$told" | "$@"
`

/** After this many lines, the shell starts over with the current state, because shells are slow with long texts. */
const maxLines = 500

/**
 * Guards the run with a shell, because a shell survives `killall node`. If this process and its launcher are dead,
 * the shell starts a second launcher, which cleans up.
 */
function createRunGuard(runMark: string, folders: () => readonly string[]) {
  const roots = new Map<number, TreeRoot>()
  let guard: { readonly pid: number; readonly pipe: Socket } | undefined
  let isStarting = false
  let keeper: Launcher | undefined
  let lines = 0

  const tellAll = (): void => {
    const settings: LauncherSettings = { runMark, folders: folders(), token: '' }
    const all = [JSON.stringify(settings), ...[...roots.values()].map((root) => `+${JSON.stringify(root)}`)]
    lines = 0
    guard?.pipe.write(all.map((line) => `${line}\n`).join(''))
  }
  const tell = (line: string): void => {
    lines += 1
    if (lines > maxLines) tellAll()
    else guard?.pipe.write(`${line}\n`)
  }
  const start = async (launcher: Launcher): Promise<void> => {
    const cleaner = [process.execPath, ...flagsWithoutDebugger(), ownFile('#launcher')]
    const program: Program = {
      argv: ['/bin/sh', '-c', script, 'mdtest-guard', ...cleaner],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    }
    const { pid, pipes, unref } = await launch(launcher.address, program, [0])
    const [pipe] = pipes
    unref()
    pipe.unref()
    pipe.once('close', () => (guard = undefined))
    guard = { pid, pipe }
    tellAll()
  }
  return {
    watch(launcher: Launcher): void {
      if (isStarting || (guard !== undefined && launcher === keeper)) return
      keeper = launcher
      if (guard !== undefined) return launcher.adopt({ pid: guard.pid, startTime: readStartTime(guard.pid) })
      isStarting = true
      start(launcher)
        .catch(() => undefined)
        .finally(() => (isStarting = false))
    },
    add(pid: number): void {
      const root = { pid, startTime: readStartTime(pid) }
      roots.set(pid, root)
      tell(`+${JSON.stringify(root)}`)
    },
    remove(pid: number): void {
      if (roots.delete(pid)) tell(`-${pid}`)
    },
    close: (): void => void guard?.pipe.end('bye\n'),
  }
}
