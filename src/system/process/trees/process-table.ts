import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { orNothing } from '../../error-facts.ts'
import { hasMark, type InheritedLimit, limitIn } from './marks.ts'

export interface ProcessEntry {
  readonly pid: number
  readonly parentPid: number
  readonly groupId: number
  /** Always 0 on macOS, where `ps` is not asked for session ids. */
  readonly sessionId: number
  readonly isZombie: boolean
  readonly isStopped: boolean
  readonly isKernelThread: boolean
  /** Tells apart processes that get the same pid one after the other. Linux: clock ticks since boot; macOS: a date. */
  readonly startTime: string
  readonly isMarked: boolean
  /** Present if the environment could not be read, as happens for a moment during `exec`. */
  readonly isOpaque?: true
}

export interface MarkSearch {
  readonly mark: string
  readonly limits?: readonly InheritedLimit[]
  readonly since?: string | undefined
  readonly onMarked?: (pid: number) => void
}

/**
 * Lists every process that this user can see; empty if neither `/proc` nor `ps` works. On Linux the list includes
 * processes that start during the listing, so that processes cannot hide by replacing themselves.
 */
export function readProcessTable(search?: MarkSearch): readonly ProcessEntry[] {
  return process.platform === 'linux' ? readProc(search) : readPs()
}

/** `undefined` if the process is gone, and always on macOS, where the query would be slow. */
export function readProcess(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux' ? readStat(pid, Buffer.alloc(statBytes)) : undefined
}

export function readStartTime(pid: number): string | undefined {
  return readProcess(pid)?.startTime
}

export function isMarkedWith(mark: string, pid: number): boolean {
  return hasMark(readProcFile(`/proc/${pid}/environ`, Buffer.alloc(environmentBytes)), mark)
}

export function commandLine(pid: number): string {
  return readProcFile(`/proc/${pid}/cmdline`, Buffer.alloc(statBytes)).toString('utf8').replaceAll('\0', ' ').trim()
}

export function parsePs(output: string): readonly ProcessEntry[] {
  return output.split('\n').flatMap((line) => {
    const [pid, parentPid, groupId, state, ...startTime] = line.trim().split(/\s+/)
    if (state === undefined || startTime.length === 0) return []
    const numbers = { pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId), sessionId: 0 }
    const rest = { startTime: startTime.join(' '), isKernelThread: false, isMarked: false }
    return [{ ...numbers, ...stateFlags(state), ...rest }]
  })
}

/** See proc_pid_stat(5). Starts after the last `)`, because the program's name may contain spaces and brackets. */
export function parseStat(pid: number, stat: string): ProcessEntry | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)
  const [state, parentPid, groupId, sessionId, , , flags] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return undefined
  const numbers = { parentPid: Number(parentPid), groupId: Number(groupId), sessionId: Number(sessionId) }
  const isKernelThread = (Number(flags) & kernelThreadFlag) !== 0
  return { pid, ...numbers, ...stateFlags(state), startTime, isKernelThread, isMarked: false }
}

/** `PF_KTHREAD` of Linux. */
const kernelThreadFlag = 0x20_00_00

function stateFlags(state: string): Pick<ProcessEntry, 'isZombie' | 'isStopped'> {
  return { isZombie: /^[ZX]/.test(state), isStopped: state.startsWith('T') }
}

// Sizes of buffers that are reused for a whole scan: `readFileSync` allocates for every file and is twice as slow.
const statBytes = 4096
const environmentBytes = 65_536

const maxListings = 20

/** A process that dies may leave its pid to a new one, which is not seen until the entry is this old. */
const maxAgeMs = 1000
/** Processes that began before the searched tree, so they are not part of it. Most processes are: reading them once saves time. */
let older = { readAtMs: Number.NEGATIVE_INFINITY, entries: new Array<ProcessEntry>() }

function readProc(search: MarkSearch | undefined): readonly ProcessEntry[] {
  const read = createEntryReader(search)
  const isOlder = ({ startTime }: ProcessEntry): boolean => Number(startTime) < Number(search?.since)
  // A kill must see every process.
  const isKill = search?.onMarked !== undefined
  if (isKill || performance.now() - older.readAtMs > maxAgeMs) older = { readAtMs: performance.now(), entries: [] }
  const table = new Map<number, ProcessEntry | undefined>(older.entries.filter(isOlder).map((one) => [one.pid, one]))
  for (let listing = 0; listing < maxListings; listing += 1) {
    // Without `/proc` the list is empty. Process groups can still be killed.
    const pids = (orNothing(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name)).map(Number)
    const fresh = pids.filter((pid) => !table.has(pid))
    if (fresh.length === 0) break
    for (const pid of fresh.toSorted((a, b) => b - a)) table.set(pid, read(pid))
  }
  const entries = [...table.values()].filter((entry) => entry !== undefined)
  older.entries = entries.filter(isOlder)
  return entries
}

function createEntryReader(search: MarkSearch | undefined): (pid: number) => ProcessEntry | undefined {
  const statBuffer = Buffer.alloc(statBytes)
  if (search === undefined) return (pid) => readStat(pid, statBuffer)
  const buffer = Buffer.alloc(environmentBytes)
  const { mark, limits = [], since, onMarked } = search
  const isLimited = (pid: number): boolean => {
    if (limits.length === 0) return false
    const limit = limitIn(readProcFile(`/proc/${pid}/limits`, statBuffer).toString('latin1'))
    return limit !== undefined && limits.includes(limit)
  }
  return (pid) => {
    const entry = readStat(pid, statBuffer)
    if (entry === undefined || !canCarry(entry, since)) return entry
    const environment = readProcFile(`/proc/${pid}/environ`, buffer)
    const isMarked = hasMark(environment, mark) || isLimited(pid)
    if (!isMarked) return environment.length === 0 ? { ...entry, isOpaque: true } : entry
    onMarked?.(pid)
    return { ...entry, isMarked: true }
  }
}

function canCarry({ isKernelThread, isZombie, startTime }: ProcessEntry, since: string | undefined): boolean {
  return !isKernelThread && !isZombie && (since === undefined || Number(startTime) >= Number(since))
}

function readStat(pid: number, buffer: Buffer): ProcessEntry | undefined {
  return parseStat(pid, readProcFile(`/proc/${pid}/stat`, buffer).toString('latin1'))
}

function readProcFile(path: string, buffer: Buffer): Buffer {
  try {
    const descriptor = openSync(path, 'r')
    try {
      const bytes = readSync(descriptor, buffer, 0, buffer.length, 0)
      return bytes < buffer.length ? buffer.subarray(0, bytes) : readFileSync(path)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return buffer.subarray(0, 0) // The process has ended, or belongs to another user.
  }
}

function readPs(): readonly ProcessEntry[] {
  const { stdout } = spawnSync('/bin/ps', ['-Ao', 'pid=,ppid=,pgid=,state=,lstart='], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
    maxBuffer: 16 * 1024 * 1024,
    timeout: 5000,
    killSignal: 'SIGKILL',
  })
  return parsePs(stdout ?? '')
}
