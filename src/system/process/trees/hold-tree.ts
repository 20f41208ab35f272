import type { EndRace } from '../wait-for-end.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine, type ProcessEntry } from './process-table.ts'
import { connectionsFrom, listeningSockets, socketsOf } from './sockets.ts'
import { type TreeRoot, createTreeTracker, send } from './kill-trees.ts'

/** Keeps a process tree from doing anything while we look at what it did. */
export interface TreeHold {
  /**
   * Gives jobs in the background some time to end, then stops the tree. A server in it goes on once something calls it,
   * see `docs/trust.md`. Gives the command lines of what is left in the background.
   */
  stop(): Promise<readonly string[]>
  /**
   * Lets the holder of a connection, and its parent, go on until they have heard an answer.
   * @param port TCP port of their end of the connection
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
    const before = new Set(known.map(keyOf))
    const deadlineMs = performance.now() + jobsMs
    for (;;) {
      const alive = tracker.findAlive()
      const jobs = orphans(alive, at).filter((entry) => !before.has(keyOf(entry)))
      const isOver = phase !== 'stopping' || performance.now() >= deadlineMs
      if (isOver || jobs.every((job) => isServer(job, alive))) return alive
      await sleep(pollMs)
    }
  }

  function stopAll(alive = tracker.findAlive()): readonly ProcessEntry[] {
    const signalled = new Set<string>()
    for (let round = 0; round < maxRounds; round += 1) {
      const running = alive.filter((one) => !one.isStopped && !signalled.has(keyOf(one)) && !isAwake(one))
      if (running.length === 0) break
      for (const one of running) {
        signalled.add(keyOf(one))
        stopped.add(one.pid)
      }
      // With some awake the group may hold one of them.
      if (awake.size + hearing.size === 0) tracker.stop(running)
      else for (const { pid } of running) send(pid, ['SIGSTOP'])
      alive = tracker.findAlive()
    }
    return alive
  }

  function isAwake({ pid, startTime }: ProcessEntry): boolean {
    return awake.get(pid) === startTime || hearing.get(pid) === startTime
  }

  /** A call that came since the tree was stopped is nobody's of the tree. */
  function wakeServers(): void {
    const called = listeningSockets().filter(({ inode, waiting }) => waiting > (backlog.get(inode) ?? 0))
    if (called.length === 0) return
    const alive = tracker.findAlive()
    for (const entry of alive) {
      if (isAwake(entry)) continue
      const held = socketsOf(entry.pid)
      if (called.some(({ inode }) => held.has(inode))) for (const one of withDescendants(entry, alive)) wake(one, awake)
    }
  }

  function wake({ pid, startTime }: ProcessEntry, among: Map<number, string>): void {
    among.set(pid, startTime)
    send(pid, ['SIGCONT'])
  }

  function isStopped(): boolean {
    return phase === 'stopped'
  }

  let ticks = 0
  function tick(): void {
    wakeServers()
    ticks += 1
    // Somebody else may have let one of them go on.
    if (ticks % 4 === 0) stopAll()
  }

  return {
    async stop() {
      if (phase !== 'going') return []
      phase = 'stopping'
      const alive = await jobsEnd()
      if (phase !== 'stopping') return []
      known = stopAll(alive)
      // Also those that somebody else had stopped.
      for (const { pid } of known) stopped.add(pid)
      backlog = new Map(listeningSockets().map(({ inode, waiting }) => [inode, waiting]))
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
      if (isStopped()) stopAll()
    },
    resume() {
      if (phase === 'closed') return
      clearInterval(timer)
      // Children first: whoever waits for them finds them at work.
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

function keyOf({ pid, startTime }: ProcessEntry): string {
  return `${pid} ${startTime}`
}

/** Leaders of groups whose parent, a shell, has ended. Helpers of a program that lives are none. */
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
  const found = new Set(alive.filter(({ pid }) => [...socketsOf(pid)].some((inode) => connections.has(inode))))
  for (const { parentPid } of found) {
    for (const other of alive) if (other.pid === parentPid) found.add(other)
  }
  return found
}

function withDescendants(entry: ProcessEntry, alive: readonly ProcessEntry[]): ReadonlySet<ProcessEntry> {
  const found = new Set([entry])
  for (const { pid } of found) {
    for (const other of alive) if (other.parentPid === pid) found.add(other)
  }
  return found
}

function isServer(entry: ProcessEntry, alive: readonly ProcessEntry[]): boolean {
  const listening = new Set(listeningSockets().map(({ inode }) => inode))
  return [...withDescendants(entry, alive)].some(({ pid }) => [...socketsOf(pid)].some((inode) => listening.has(inode)))
}

export interface Running<Result> extends Pick<TreeHold, 'letHear'> {
  /** A sign of life other than output: the silence limit starts anew. */
  touch(): void
  hold(): Promise<readonly string[]>
  release(): void
  /** Settled once the command and all it started are gone. Rejected only with an error of `onLine` or `onSpawn`. */
  readonly ended: Promise<Result>
}

type OnStart = (race: EndRace, hold: TreeHold) => void

export function startHeld<Result>(supervise: (onStart: OnStart) => Promise<Result>): Running<Result> {
  let race: EndRace | undefined
  let tree: TreeHold | undefined
  const ended = supervise((started, held) => {
    race = started
    tree = held
  })
  // Until somebody awaits `ended`, its error is no unhandled one.
  ended.catch(() => undefined)
  return {
    touch: () => race?.touch(),
    async hold() {
      race?.pause()
      return (await tree?.stop()) ?? []
    },
    async letHear(port, heard) {
      await tree?.letHear(port, heard)
    },
    release() {
      tree?.resume()
      race?.resume()
    },
    ended,
  }
}
