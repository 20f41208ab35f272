import { commandLine, readProcessTable, type ProcessEntry } from './process-table.ts'
import { socketsAt, socketsOf } from './sockets.ts'

/** Knows who serves a port, from when it was opened. */
export interface PortWatch {
  /** The command line of another process that listens there since; nothing where none does, or that is not known. */
  stranger(): string | undefined
}

/**
 * Linux; elsewhere there are never strangers. Sockets whose owner is not shown, those of other users and of containers,
 * are no strangers either.
 *
 * @param roots process ids of the programs that may serve it, each with all that it started
 */
export function watchPort(port: number, roots: () => readonly number[]): PortWatch {
  const trusted = new Set(socketsAt(port).map(({ inode }) => inode))
  // They may serve it anew: a daemon has left the tree.
  const first = ownersOf(trusted, readProcessTable(), roots())
  return {
    stranger() {
      const fresh = socketsAt(port).filter(({ inode }) => !trusted.has(inode))
      if (fresh.length === 0) return undefined
      const table = readProcessTable()
      const own = [...roots(), ...first.filter(isAlive(table)).map(({ pid }) => pid)]
      for (const { inode } of fresh) {
        const owners = ownersOf(new Set([inode]), table, own)
        const [stranger] = owners
        if (stranger && !owners.some((owner) => belongsTo(owner, own, table))) return commandLine(stranger.pid)
        trusted.add(inode)
      }
      return undefined
    },
  }
}

/** Who holds one of the sockets. Where somebody of the trees does, nobody else is looked for. */
function ownersOf(
  inodes: ReadonlySet<string>,
  table: readonly ProcessEntry[],
  roots: readonly number[],
): readonly ProcessEntry[] {
  if (inodes.size === 0) return []
  const holds = ({ pid }: ProcessEntry): boolean => [...socketsOf(pid)].some((inode) => inodes.has(inode))
  const own = table.filter((entry) => belongsTo(entry, roots, table) && holds(entry))
  return own.length > 0 ? own : table.filter(holds)
}

function isAlive(table: readonly ProcessEntry[]): (entry: ProcessEntry) => boolean {
  return ({ pid, startTime }) => table.some((one) => one.pid === pid && one.startTime === startTime)
}

/** By group, session or descent: none of which another tree can take on. */
function belongsTo(entry: ProcessEntry, roots: readonly number[], table: readonly ProcessEntry[]): boolean {
  if ([entry.pid, entry.groupId, entry.sessionId].some((id) => roots.includes(id))) return true
  const parent = table.find(({ pid }) => pid === entry.parentPid)
  return parent !== undefined && belongsTo(parent, roots, table)
}
