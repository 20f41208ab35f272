import type { Socket } from 'node:net'
import { flagsWithoutDebugger } from '../../refuse-debugger.ts'
import type { TreeRoot } from '../trees/find-tree.ts'
import { launch } from './launch.ts'
import { launcherProgram, type Launcher, type LauncherSettings } from './launcher.ts'
import { readStartTime } from '../trees/process-table.ts'

/**
 * A shell that waits until we and the launcher are dead, and then has another launcher clean up. It is small, and no
 * Node.js process: it survives when all processes that look like ours are killed.
 */
export interface RunGuard {
  /** Starts it, where it does not run. To be called with each launcher: that one ends it with all else. */
  watch(launcher: Launcher): void
  add(pid: number): void
  remove(pid: number): void
  /** We end in good order. */
  close(): void
}

/**
 * Standard input holds what a launcher is told, see `launcher-main.ts`: a line of settings, then roots. After its end
 * the launcher, if it lives, has half a second to end us, before another one gets all of it and does the same.
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

/** All is told anew after so many lines: a shell is slow with long texts. */
const maxLines = 500

/** @param folders absolute paths of the folders of the run */
export function createRunGuard(runMark: string, folders: () => readonly string[]): RunGuard {
  const roots = new Map<number, TreeRoot>()
  let guard: { readonly pid: number; readonly pipe: Socket } | undefined
  let isStarting = false
  /** That knows of it. */
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
    const argv = [
      '/bin/sh',
      '-c',
      script,
      'mdtest-guard',
      process.execPath,
      ...flagsWithoutDebugger(),
      launcherProgram(),
    ] as const // at least one
    const { pid, pipes, unref } = await launch(
      launcher.address,
      { argv: [...argv], cwd: '/', env: { PATH: '/usr/bin:/bin' } },
      [0],
    )
    const [pipe] = pipes
    unref()
    pipe.unref()
    pipe.once('close', () => (guard = undefined))
    guard = { pid, pipe }
    tellAll()
  }
  return {
    watch(launcher) {
      if (isStarting || (guard !== undefined && launcher === keeper)) return
      keeper = launcher
      if (guard !== undefined) return launcher.adopt({ pid: guard.pid, startTime: readStartTime(guard.pid) })
      isStarting = true
      // Without it the next run cleans up.
      start(launcher)
        .catch(() => undefined)
        .finally(() => (isStarting = false))
    },
    add(pid) {
      const root = { pid, startTime: readStartTime(pid) }
      roots.set(pid, root)
      tell(`+${JSON.stringify(root)}`)
    },
    remove(pid) {
      if (roots.delete(pid)) tell(`-${pid}`)
    },
    close: () => void guard?.pipe.end('bye\n'),
  }
}
