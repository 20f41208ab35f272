import { commandLine, readProcessTable, type ProcessEntry } from './process-table.ts'
import { orNothing } from '../../error-facts.ts'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns a function that names a foreign process that has begun to listen on the port, by its command line. Only on
 * Linux. Ignores sockets of other users and of containers, because their owners are hidden.
 * @param roots pids of programs that may serve the port, with their descendants
 */
export function watchPort(port: number, roots: () => readonly number[]): () => string | undefined {
  const trusted = new Set(socketsAt(port))
  // Programs that already serve the port may open it again, even if they have left the tree, as daemons do.
  const first = ownersOf(trusted, readProcessTable(), roots())
  return () => {
    const fresh = socketsAt(port).filter((inode) => !trusted.has(inode))
    if (fresh.length === 0) return undefined
    const table = readProcessTable()
    const alive = first.filter((one) =>
      table.some(({ pid, startTime }) => pid === one.pid && startTime === one.startTime),
    )
    const own = [...roots(), ...alive.map(({ pid }) => pid)]
    for (const inode of fresh) {
      const owners = ownersOf(new Set([inode]), table, own)
      const [stranger] = owners
      if (stranger && !owners.some((owner) => belongsTo(owner, own, table))) return commandLine(stranger.pid)
      trusted.add(inode)
    }
    return undefined
  }
}

function ownersOf(
  inodes: ReadonlySet<string>,
  table: readonly ProcessEntry[],
  roots: readonly number[],
): readonly ProcessEntry[] {
  if (inodes.size === 0) return []
  const holds = ({ pid }: ProcessEntry): boolean => holdsAny(pid, inodes)
  const own = table.filter((entry) => belongsTo(entry, roots, table) && holds(entry))
  return own.length > 0 ? own : table.filter(holds)
}

/** Compares group, session and ancestors, because processes of other trees cannot fake these. */
function belongsTo(entry: ProcessEntry, roots: readonly number[], table: readonly ProcessEntry[]): boolean {
  if ([entry.pid, entry.groupId, entry.sessionId].some((id) => roots.includes(id))) return true
  const parent = table.find(({ pid }) => pid === entry.parentPid)
  return parent !== undefined && belongsTo(parent, roots, table)
}

/** Inode of a listening socket, and the number of connections that nobody has accepted. */
type Listening = readonly [inode: string, waiting: number]

export function listeningSockets(): ReadonlyMap<string, number> {
  return new Map([...tcpTables().flatMap(parseTcp), ...parseUnix(read('/proc/net/unix'))])
}

/** Inodes of the sockets that listen on a port of this machine. */
export function socketsAt(port: number): readonly string[] {
  const rows = tcpTables().flatMap(listeningRows)
  return rows.flatMap((row) => (row.port === port && localhost(row.address) ? row.inode : []))
}

/** Inodes of connections whose local port is `port`; `undefined` if the system does not list connections. */
export function connectionsFrom(port: number): ReadonlySet<string> | undefined {
  const tables = tcpTables()
  if (tables.every((table) => table === '')) return undefined
  const connections = tables.flatMap(tcpRows).filter((row) => row.state !== listening && row.inode !== '0')
  return new Set(connections.flatMap((row) => (row.port === port ? row.inode : [])))
}

function tcpTables(): readonly string[] {
  return [read('/proc/net/tcp'), read('/proc/net/tcp6')]
}

export function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`
  const found = new Set<string>()
  // The folder is unreadable if the process has ended or belongs to another user.
  for (const name of orNothing(() => readdirSync(folder)) ?? []) {
    const inode = /^socket:\[(\d+)\]$/.exec(orNothing(() => readlinkSync(`${folder}/${name}`)) ?? '')?.[1]
    if (inode !== undefined) found.add(inode)
  }
  return found
}

export function holdsAny(pid: number, inodes: Pick<ReadonlySet<string>, 'has'>): boolean {
  return [...socketsOf(pid)].some((inode) => inodes.has(inode))
}

export function parseTcp(table: string): readonly Listening[] {
  return listeningRows(table).map(({ inode, waiting }) => [inode, waiting])
}

function listeningRows(table: string) {
  return tcpRows(table).filter(({ state }) => state === listening)
}

function tcpRows(table: string) {
  return rowsOf(table).map(([, local = '', , state, queues = '', , , , , inode = '']) => {
    const [address = '', port = ''] = local.split(':')
    const waiting = Number.parseInt(queues.split(':')[1] ?? '', 16)
    return { address, port: Number.parseInt(port, 16), state, inode, waiting }
  })
}

/** In `/proc/net/unix` each waiting connection is an extra row with the path of its socket and inode 0. */
export function parseUnix(table: string): readonly Listening[] {
  const rows = rowsOf(table)
  const waiting = new Map<string, number>()
  for (const [, , , , , state, inode, path = ''] of rows) {
    if (state === connecting && inode === '0') waiting.set(path, (waiting.get(path) ?? 0) + 1)
  }
  return rows
    .filter(([, , , flags = '']) => (Number.parseInt(flags, 16) & acceptsConnections) !== 0)
    .map(([, , , , , , inode = '', path = '']) => [inode, waiting.get(path) ?? 0])
}

const listening = '0A'
const connecting = '02'
const acceptsConnections = 0x1_00_00

/** Matches 0.0.0.0, ::, 127.x.y.z, ::1, and IPv4 mapped to IPv6. `address` is little endian, as on x86 and ARM. */
function localhost(address: string): boolean {
  return /^0+(?:FFFF0000)?0*$/.test(address) || address.endsWith('7F') || /^0{24}01000000$/.test(address)
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
}

function read(path: string): string {
  return orNothing(() => readFileSync(path, 'latin1')) ?? ''
}
