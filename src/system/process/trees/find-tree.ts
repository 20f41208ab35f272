import type { InheritedLimit } from './inherited-limit.ts'
import type { ProcessEntry } from './process-table.ts'

/** The first process of a tree. It was started detached: its id is the id of its group and session, too. */
export interface TreeRoot {
  readonly pid: number
  /** From `readStartTime`, where known: a later process with the same id is then left alone. */
  readonly startTime?: string | undefined
  /** What it hands down to all that come from it. */
  readonly limit?: InheritedLimit | undefined
}

/** What belongs to the trees, in ways that each miss some processes. */
export interface TreeQuery {
  readonly roots: readonly TreeRoot[]
  /** Start times by process id of those that belonged before, when their parents were still there. */
  readonly known: ReadonlyMap<number, string>
  /** Our own process id: never part of the answer, nor is a tree that holds it. */
  readonly ownPid: number
}

/**
 * The live processes of the trees, newest id first: groups and sessions of the roots, carriers of the mark, those
 * known from before, and all descendants of these. Zombies are not live.
 */
export function findTree(table: readonly ProcessEntry[], query: TreeQuery): readonly ProcessEntry[] {
  const rootIds = findRootIds(table, query)
  const isSeed = (entry: ProcessEntry): boolean =>
    [entry.pid, entry.groupId, entry.sessionId].some((id) => rootIds.has(id)) ||
    query.known.get(entry.pid) === entry.startTime ||
    entry.isMarked
  const candidates = table.filter(({ pid, isZombie }) => !isZombie && pid > 1 && pid !== query.ownPid)
  const found = new Set<ProcessEntry>(candidates.filter(isSeed))
  // A set that grows is walked to its new end: this visits descendants of any depth.
  for (const { pid } of found) {
    for (const child of candidates) if (child.parentPid === pid) found.add(child)
  }
  return [...found].toSorted((a, b) => b.pid - a.pid)
}

/** Ids of roots that may be taken as ids of groups and sessions. */
export function findRootIds(table: readonly ProcessEntry[], query: TreeQuery): ReadonlySet<number> {
  const own = table.find(({ pid }) => pid === query.ownPid)
  const isOurs = (id: number): boolean => [query.ownPid, own?.groupId, own?.sessionId].includes(id)
  const isReused = ({ pid, startTime }: TreeRoot): boolean =>
    startTime !== undefined && table.some((entry) => entry.pid === pid && entry.startTime !== startTime)
  return new Set(query.roots.filter((root) => !isOurs(root.pid) && !isReused(root)).map(({ pid }) => pid))
}
