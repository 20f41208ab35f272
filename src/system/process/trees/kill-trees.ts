import { setTimeout as sleep } from 'node:timers/promises'
import type { InheritedLimit } from './marks.ts'
import { type ProcessEntry, readProcessTable } from './process-table.ts'
import { errorCode } from '../../error-facts.ts'

/** Each round of SIGKILL reaches processes that started during the round before. */
const maxRounds = 40

/**
 * Ends process trees: sends SIGTERM, waits up to `graceMs`, then repeats SIGKILL for about 1 s until nothing is left.
 * Never throws. On macOS, a process that left its group escapes if its parent has ended.
 */
export async function killTrees({ graceMs, ...trees }: Trees & { readonly graceMs: number }): Promise<void> {
  const tracker = createTreeTracker(trees)
  const first = tracker.findAlive()
  if (first.length === 0) return
  if (graceMs > 0) {
    tracker.terminate(first)
    if (await areGoneWithin(tracker, graceMs)) return
  }
  for (let round = 0; round < maxRounds; round += 1) {
    if (tracker.kill()) return
    // The first rounds follow at once, to outrun processes that keep replacing themselves with a child.
    await sleep(round < 5 ? 1 : 25)
  }
}

/** Synchronous `killTrees` for `exit` handlers: takes at most `graceMs` plus 0.2 s. No SIGTERM if `graceMs` is 0. */
export function killTreesNow(trees: Trees, { graceMs = 0 }: { readonly graceMs?: number } = {}): void {
  const tracker = createTreeTracker(trees)
  if (graceMs > 0) {
    tracker.terminate(tracker.findAlive())
    const deadlineMs = performance.now() + graceMs
    while (performance.now() < deadlineMs && tracker.findAlive().length > 0) pause(10)
  }
  for (let round = 0; round < maxRounds && !tracker.kill(); round += 1) pause(5)
}

async function areGoneWithin(tracker: TreeTracker, graceMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + graceMs
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 50)) {
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) return false
    await sleep(Math.min(pauseMs, leftMs))
    if (tracker.findAlive().length === 0) return true
  }
}

function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)
}

export interface Trees {
  readonly roots: readonly TreeRoot[]
  readonly mark: string
  /** Start time of the tree. Processes that started earlier have no mark, so their environments are not read. */
  readonly since?: string | undefined
}

export interface TreeTracker {
  /** The living processes that accept our signals, highest pid first. */
  findAlive(): readonly ProcessEntry[]
  terminate(entries: readonly ProcessEntry[]): void
  stop(entries: readonly ProcessEntry[]): void
  /** Sends SIGKILL to all processes found. Returns true if there were none. */
  kill(): boolean
}

export function createTreeTracker({ roots, mark, since }: Trees): TreeTracker {
  const limits = roots.flatMap(({ limit }) => limit ?? [])
  const known = new Map<number, string>()
  const unreachable = new Map<number, string>()
  let groups: ReadonlySet<number> = new Set()

  function find(onMarked?: (pid: number) => void) {
    const table = readProcessTable({ mark, limits, since, ...(onMarked && { onMarked }) })
    groups = findRootIds(table, roots)
    const found = findTree(table, { groups, known }).filter(({ pid, startTime }) => unreachable.get(pid) !== startTime)
    for (const { pid, startTime } of found) known.set(pid, startTime)
    return { found, isSure: !table.some((entry) => entry.isOpaque) }
  }

  function signal(entries: readonly ProcessEntry[], signals: readonly NodeJS.Signals[]): void {
    // Signal whole groups in one call first: otherwise a process could escape by forking.
    for (const group of groups) {
      if (entries.some(({ groupId }) => groupId === group)) send(-group, signals)
    }
    // Signal parents before children: otherwise a script whose command is killed would go on with its next line.
    for (const { pid, groupId, startTime } of entries.toReversed()) {
      const isForbidden = send(pid, groups.has(groupId) ? [0] : signals)
      if (isForbidden) unreachable.set(pid, startTime)
    }
  }

  /** Looks twice, because a process has no readable environment, and so no mark, for a moment during `exec`. */
  function findSurely(onMarked?: (pid: number) => void): readonly ProcessEntry[] {
    const { found, isSure } = find(onMarked)
    return found.length > 0 || isSure ? found : find(onMarked).found
  }

  return {
    findAlive: () => findSurely(),
    // SIGCONT, because a stopped process handles SIGTERM only after it continues.
    terminate: (entries) => signal(entries, ['SIGTERM', 'SIGCONT']),
    stop: (entries) => signal(entries, ['SIGSTOP']),
    kill() {
      // Stop all processes before killing any: a killed process wakes its parent, which could start another one.
      const alive = findSurely((pid) => {
        if (pid > 1 && pid !== process.pid) send(pid, ['SIGSTOP'])
      })
      signal(alive, ['SIGKILL'])
      return alive.length === 0
    },
  }
}

export function send(pid: number, signals: readonly (NodeJS.Signals | 0)[]): boolean {
  try {
    for (const signal of signals) process.kill(pid, signal)
    return false
  } catch (error: unknown) {
    return errorCode(error) === 'EPERM'
  }
}

/** Also true for a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error: unknown) {
    return errorCode(error) === 'EPERM'
  }
}

/** The first process of a tree. It was started detached, so its pid is also the id of its group and session. */
export interface TreeRoot {
  readonly pid: number
  /** From `readStartTime`, if known. A later process with the same pid has another start time. */
  readonly startTime?: string | undefined
  readonly limit?: InheritedLimit | undefined
}

function findTree(
  table: readonly ProcessEntry[],
  { groups, known }: { readonly groups: ReadonlySet<number>; readonly known: ReadonlyMap<number, string> },
): readonly ProcessEntry[] {
  const isSeed = (entry: ProcessEntry): boolean =>
    [entry.pid, entry.groupId, entry.sessionId].some((id) => groups.has(id)) ||
    known.get(entry.pid) === entry.startTime ||
    entry.isMarked
  const candidates = table.filter(({ pid, isZombie }) => !isZombie && pid > 1 && pid !== process.pid)
  return [...withDescendants(candidates.filter(isSeed), candidates)].toSorted((a, b) => b.pid - a.pid)
}

export function withDescendants(
  entries: readonly ProcessEntry[],
  among: readonly ProcessEntry[],
): ReadonlySet<ProcessEntry> {
  const found = new Set(entries)
  // A loop over a set also visits entries added meanwhile, so this finds descendants of any depth.
  for (const { pid } of found) {
    for (const other of among) if (other.parentPid === pid) found.add(other)
  }
  return found
}

function findRootIds(table: readonly ProcessEntry[], roots: readonly TreeRoot[]): ReadonlySet<number> {
  const own = table.find(({ pid }) => pid === process.pid)
  const isOurs = (id: number): boolean => [process.pid, own?.groupId, own?.sessionId].includes(id)
  const isReused = ({ pid, startTime }: TreeRoot): boolean =>
    startTime !== undefined && table.some((entry) => entry.pid === pid && entry.startTime !== startTime)
  const pids = roots.filter((root) => !isOurs(root.pid) && !isReused(root)).map(({ pid }) => pid)
  return new Set(pids.filter((pid) => Number.isSafeInteger(pid) && pid > 1))
}
