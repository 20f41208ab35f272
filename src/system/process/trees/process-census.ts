import { canCarry, createProcessReader, listPids, type ProcessReading } from './process-table.ts'
import type { Trees } from './tree-tracker.ts'

/** Tells cheaply whether anything of some process trees is left. */
export interface ProcessCensus {
  /** True only if nothing is left; false also where it cannot tell, always on other systems than Linux. */
  isEmpty(trees: Trees): boolean
}

/**
 * How long what was read of a process is believed, in milliseconds. In that time no process id is given anew (ids go up
 * to at least 32 768), and a process without a mark gets none: marks are inherited.
 */
const maxAgeMs = 1_000

/** Where many processes come and go, one look may not be enough to tell. */
const maxRounds = 3

type Look = 'empty' | 'alive' | 'changing'

/**
 * Remembers processes from look to look: where many commands end one after the other, each would have to read all that
 * is alive.
 */
export function createProcessCensus(): ProcessCensus {
  if (process.platform !== 'linux') return { isEmpty: () => false }
  const read = createProcessReader()
  let known = new Map<number, ProcessReading & { readonly readAtMs: number }>()
  function lookAround(query: Query): Look {
    const nowMs = performance.now()
    const pids = listPids()
    const current: typeof known = new Map()
    let look: Look = pids.length > 0 ? 'empty' : 'alive'
    for (const pid of pids) {
      const before = known.get(pid)
      const isFresh = before !== undefined && nowMs - before.readAtMs < maxAgeMs
      const reading = isFresh ? before : read(pid)
      // It may have left a child behind that is not in the list.
      if (reading === undefined) look = look === 'alive' ? 'alive' : 'changing'
      // One without an environment may be executing another program: it is read again the next time.
      if (reading?.marks !== undefined) current.set(pid, isFresh ? before : { ...reading, readAtMs: nowMs })
      if (reading !== undefined && canBelong(reading, query)) look = 'alive'
    }
    known = current
    if (look !== 'empty') return look
    return listPids().every((pid) => current.has(pid) || pids.includes(pid)) ? 'empty' : 'changing'
  }
  return {
    isEmpty({ roots, mark, since }) {
      // Those are not remembered.
      if (roots.some(({ limit }) => limit !== undefined)) return false
      const query = { rootIds: new Set(roots.map(({ pid }) => pid)), mark, since }
      for (let round = 0; round < maxRounds; round += 1) {
        const look = lookAround(query)
        if (look !== 'changing') return look === 'empty'
      }
      return false
    },
  }
}

interface Query extends Pick<Trees, 'mark' | 'since'> {
  readonly rootIds: ReadonlySet<number>
}

function canBelong({ entry, marks }: ProcessReading, { rootIds, mark, since }: Query): boolean {
  const { pid, parentPid, groupId, sessionId, isZombie } = entry
  if (isZombie) return false
  if (marks === undefined ? canCarry(entry, since) : marks.includes(mark)) return true
  return [pid, parentPid, groupId, sessionId].some((id) => rootIds.has(id))
}
