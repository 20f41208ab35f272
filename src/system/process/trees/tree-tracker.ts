import { findRootIds, findTree, type TreeQuery, type TreeRoot } from './find-tree.ts'
import { type ProcessEntry, readProcessTable } from './process-table.ts'
import { errorCode } from '../../error-facts.ts'

/** Process trees that end together. */
export interface Trees {
  readonly roots: readonly TreeRoot[]
  /** Whoever carries it in `MDTEST_MARKS` belongs, whatever its parent and group (Linux only). */
  readonly mark: string
  /** Start time before which no process carries the mark: saves reading most environments. */
  readonly since?: string | undefined
}

/** Looks for the processes of some trees again and again, and remembers those it saw. */
export interface TreeTracker {
  /** Who is alive now and can be signalled, newest id first. Empty only if nobody was overlooked. */
  findAlive(): readonly ProcessEntry[]
  /** SIGTERM to each of them once, whether it is reached through its group or alone. */
  terminate(entries: readonly ProcessEntry[]): void
  /** SIGSTOP to each of them. */
  stop(entries: readonly ProcessEntry[]): void
  /** SIGCONT to each of them. */
  wake(entries: readonly ProcessEntry[]): void
  /** SIGKILL to all that can be found. Says whether there is nobody left. */
  kill(): boolean
}

export function createTreeTracker({ roots, mark, since }: Trees): TreeTracker {
  const limits = roots.flatMap(({ limit }) => limit ?? [])
  const known = new Map<number, string>()
  const unreachable = new Map<number, string>()
  const query: TreeQuery = {
    roots: roots.filter(({ pid }) => Number.isSafeInteger(pid) && pid > 1),
    known,
    ownPid: process.pid,
  }
  let groups: ReadonlySet<number> = new Set()

  function find(onMarked?: (pid: number) => void): {
    readonly found: readonly ProcessEntry[]
    readonly isSure: boolean
  } {
    const table = readProcessTable({ mark, limits, since, ...(onMarked && { onMarked }) })
    groups = findRootIds(table, query)
    const found = findTree(table, query).filter(({ pid, startTime }) => unreachable.get(pid) !== startTime)
    for (const { pid, startTime } of found) known.set(pid, startTime)
    return { found, isSure: !table.some((entry) => entry.isOpaque) }
  }

  function signal(entries: readonly ProcessEntry[], signals: readonly NodeJS.Signals[]): void {
    // The group first, and in one call: a member that forks at this moment cannot slip through.
    for (const group of groups) {
      if (entries.some(({ groupId }) => groupId === group)) send(-group, signals)
    }
    // Parents before children: a script whose command ends would go on with its next line.
    for (const { pid, groupId, startTime } of entries.toReversed()) {
      const isForbidden = send(pid, groups.has(groupId) ? [0] : signals)
      if (isForbidden) unreachable.set(pid, startTime)
    }
  }

  /** A process that executes another program has no environment for a moment: then one look can miss it. */
  function findSurely(onMarked?: (pid: number) => void): readonly ProcessEntry[] {
    const { found, isSure } = find(onMarked)
    return found.length > 0 || isSure ? found : find(onMarked).found
  }

  return {
    findAlive: () => findSurely(),
    // A stopped process takes the SIGTERM only once it goes on.
    terminate: (entries) => signal(entries, ['SIGTERM', 'SIGCONT']),
    stop: (entries) => signal(entries, ['SIGSTOP']),
    wake: (entries) => signal(entries, ['SIGCONT']),
    kill() {
      // Carriers are held at the moment they are seen: later, one that replaces itself would have done so. They come
      // newest first, so that killing them here would let a parent go on.
      const alive = findSurely((pid) => {
        if (pid > 1 && pid !== process.pid) send(pid, ['SIGSTOP'])
      })
      signal(alive, ['SIGKILL'])
      return alive.length === 0
    },
  }
}

/** Says whether the process belongs to another user. One that is gone is no error. */
function send(pid: number, signals: readonly (NodeJS.Signals | 0)[]): boolean {
  try {
    for (const signal of signals) process.kill(pid, signal)
    return false
  } catch (error: unknown) {
    return errorCode(error) === 'EPERM'
  }
}
