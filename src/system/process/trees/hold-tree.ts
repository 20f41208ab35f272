import { setTimeout as sleep } from 'node:timers/promises'
import { browserMark } from './marks.ts'
import { commandLine, isMarkedWith, type ProcessEntry } from './process-table.ts'
import { connectionsFrom, holdsAny, listeningSockets } from './sockets.ts'
import { type TreeRoot, createTreeTracker, send, withDescendants } from './kill-trees.ts'

/** Pauses a process tree (SIGSTOP) while mdtest inspects the tree's results. */
export interface TreeHold {
  /**
   * Waits a while for background jobs to end, then pauses the tree. A server in the tree wakes up if a program outside
   * connects to it, see `docs/trust.md`. Returns the command lines of the remaining background processes.
   */
  stop(): Promise<readonly string[]>
  /**
   * Wakes the client of a connection, which uses TCP port `port`, and the client's parent. The client can then read an
   * answer. Both stay awake until `heard` settles.
   */
  letHear(port: number | undefined, heard: Promise<unknown>): Promise<void>
  resume(): void
  close(): void
}

interface HoldOptions {
  readonly root: TreeRoot
  readonly mark: string
  readonly isShell?: boolean
  readonly jobsMs?: number | undefined
}

type HeldRoot = Required<Pick<HoldOptions, 'root' | 'isShell'>>

const pollMs = 50
const maxRounds = 40

export function holdTree({ root, mark, jobsMs = 5_000, isShell = false }: HoldOptions): TreeHold {
  const at = { root, isShell }
  const tracker = createTreeTracker({ roots: [root], mark, since: root.startTime })
  const awake = new Map<number, string>()
  const hearing = new Map<number, string>()
  let answers = 0
  const stopped = new Set<number>()
  let known: readonly ProcessEntry[] = []
  let phase: 'going' | 'stopping' | 'stopped' | 'closed' = 'going'
  let timer: NodeJS.Timeout | undefined
  let backlog: ReadonlyMap<string, number> = new Map()

  async function jobsEnd(): Promise<readonly ProcessEntry[]> {
    const before = new Set(known.map(processKey))
    const deadlineMs = performance.now() + jobsMs
    for (;;) {
      const alive = tracker.findAlive()
      const fresh = orphans(alive, at).filter((entry) => !before.has(processKey(entry)))
      const jobs = fresh.filter(({ pid }) => !isMarkedWith(browserMark, pid))
      const isOver = phase !== 'stopping' || performance.now() >= deadlineMs
      if (isOver || jobs.every((job) => isServer(job, alive))) return alive
      await sleep(pollMs)
    }
  }

  function stopAll(alive = tracker.findAlive()): readonly ProcessEntry[] {
    const signalled = new Set<string>()
    for (let round = 0; round < maxRounds; round += 1) {
      const running = alive.filter((one) => !one.isStopped && !signalled.has(processKey(one)) && !isAwake(one))
      if (running.length === 0) break
      for (const one of running) {
        signalled.add(processKey(one))
        stopped.add(one.pid)
      }
      // `tracker.stop` stops the whole group. If processes in the group must stay awake, stop the others one by one.
      if (awake.size + hearing.size === 0) tracker.stop(running)
      else for (const { pid } of running) send(pid, ['SIGSTOP'])
      alive = tracker.findAlive()
    }
    return alive
  }

  function isAwake({ pid, startTime }: ProcessEntry): boolean {
    return awake.get(pid) === startTime || hearing.get(pid) === startTime
  }

  /** Wakes servers that have new waiting connections. Only programs outside of the paused tree can connect. */
  function wakeServers(): void {
    const called = new Map([...listeningSockets()].filter(([inode, waiting]) => waiting > (backlog.get(inode) ?? 0)))
    if (called.size === 0) return
    const alive = tracker.findAlive()
    for (const entry of alive)
      if (!isAwake(entry) && holdsAny(entry.pid, called))
        for (const one of withDescendants([entry], alive)) wake(one, awake)
  }

  function wake({ pid, startTime }: ProcessEntry, among: Map<number, string>): void {
    among.set(pid, startTime)
    send(pid, ['SIGCONT'])
  }

  let ticks = 0
  function tick(): void {
    wakeServers()
    ticks += 1
    // Stop processes that another program has woken in the meantime.
    if (ticks % 4 === 0) stopAll()
  }

  return {
    async stop() {
      if (phase !== 'going') return []
      phase = 'stopping'
      const alive = await jobsEnd()
      if (phase !== 'stopping') return []
      known = stopAll(alive)
      // `resume` also wakes processes that were already stopped before this call.
      for (const { pid } of known) stopped.add(pid)
      backlog = listeningSockets()
      phase = 'stopped'
      timer = setInterval(tick, pollMs)
      return leftBehind(known, at).map(({ pid }) => commandLine(pid))
    },
    async letHear(port, heard) {
      if (phase === 'closed') return
      answers += 1
      for (const one of hearersAt(port, tracker.findAlive(), at)) wake(one, hearing)
      await heard
      answers -= 1
      if (answers > 0) return
      hearing.clear()
      if (phase === 'stopped') stopAll()
    },
    resume() {
      if (phase === 'closed') return
      clearInterval(timer)
      // Wake children first, so that a parent never waits for a stopped child.
      for (const pid of stopped) send(pid, ['SIGCONT'])
      stopped.clear()
      awake.clear()
      hearing.clear()
      phase = 'going'
    },
    close() {
      clearInterval(timer)
      phase = 'closed'
    },
  }
}

function processKey({ pid, startTime }: ProcessEntry): string {
  return `${pid} ${startTime}`
}

/** Finds background jobs: processes whose shell has ended or is the root. Children of other programs do not count. */
function orphans(alive: readonly ProcessEntry[], { root, isShell }: HeldRoot): readonly ProcessEntry[] {
  const pids = new Set(alive.map(({ pid }) => pid))
  return alive.filter(
    ({ pid, parentPid, groupId }) =>
      pid !== root.pid &&
      ((isShell && parentPid === root.pid) ||
        (!pids.has(parentPid) && (groupId === pid || groupId === root.pid || !pids.has(groupId)))),
  )
}

function leftBehind(alive: readonly ProcessEntry[], at: HeldRoot): readonly ProcessEntry[] {
  const lost = new Set(orphans(alive, at))
  return alive.filter(
    (entry) =>
      lost.has(entry) ||
      (entry.pid === entry.groupId &&
        entry.pid !== at.root.pid &&
        /^\S*\/?(?:ba|da|z)?sh /.test(commandLine(entry.pid))),
  )
}

function hearersAt(port: number | undefined, alive: readonly ProcessEntry[], at: HeldRoot): ReadonlySet<ProcessEntry> {
  const connections = port === undefined ? undefined : connectionsFrom(port)
  if (connections === undefined) {
    const left = new Set(leftBehind(alive, at))
    return new Set(alive.filter((entry) => !left.has(entry)))
  }
  const found = new Set(alive.filter(({ pid }) => holdsAny(pid, connections)))
  for (const { parentPid } of found) {
    for (const other of alive) if (other.pid === parentPid) found.add(other)
  }
  return found
}

function isServer(entry: ProcessEntry, alive: readonly ProcessEntry[]): boolean {
  const listening = listeningSockets()
  return [...withDescendants([entry], alive)].some(({ pid }) => holdsAny(pid, listening))
}
