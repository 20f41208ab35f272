import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { isInside } from '../agents/is-inside.ts'
import { isLog } from '../result-log/logs-glob.ts'
import type { ModifiedSource } from '../verdict/verdict.ts'
import type { OwnWrites } from './own-writes.ts'
import {
  changedSources,
  isAllowed,
  retakeSnapshot,
  snapshotSources,
  type SnapshotRequest,
  type SourceSnapshot,
} from './source-guard.ts'

/** Sees what an agent does to files that it must not change. What happens while it waits is not its doing. */
export interface SourceWatch {
  /**
   * The agent waits or ended: looks for what changed since it went on. Nothing while it waits already.
   *
   * @param stepId the step that was under way; absent where nobody knows
   */
  pause(stepId?: string): Promise<void>
  /** The agent goes on. Never rejects. */
  resume(): Promise<void>
  /** Adds files that the agent was seen to write, whatever is in them now. Paths relative to `cwd`, or absolute. */
  addWritten(files: readonly WrittenFile[], cwd: string): Promise<void>
  readonly modified: readonly ModifiedSource[]
}

/** A file that a tool call of the agent wrote. */
export interface WrittenFile {
  readonly path: string
  readonly stepId?: string
}

/** The last snapshot of each root: what has not changed since is not read again. */
export type SnapshotCache = Map<string, Promise<SourceSnapshot>>

interface WatchRequest extends SnapshotRequest {
  readonly cache: SnapshotCache
  /** Front matter `writes`. */
  readonly writes: readonly string[]
  /** Absolute paths of files and folders that others look after: the spec, the logs. */
  readonly exempt: readonly string[]
  /** What mdtest rewrites in the meantime. */
  readonly ownWrites: OwnWrites
}

/**
 * Begins to watch, the agent not yet started.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list.
 */
export async function watchSources(request: WatchRequest): Promise<SourceWatch> {
  const { root, writes, exempt, now, ownWrites } = request
  let before = await cachedSnapshot(request)
  let isPaused = false
  let queue: Promise<void> = Promise.resolve()
  const found = new Map<string, ModifiedSource>()
  const inTurn = (work: () => Promise<void>): Promise<void> => (queue = queue.then(work, work))
  const add = (file: string, stepId: string | undefined): void => {
    const path = resolve(root, file)
    // Logs of other specs are written and removed while an agent works; somebody may have checked them in.
    if (isLog(file) || exempt.some((place) => isInside(path, place)) || ownWrites.isAsWritten(path)) return
    found.set(`${stepId} ${file}`, { file, ...(stepId !== undefined && { stepId }) })
  }
  return {
    pause: (stepId) =>
      inTurn(async () => {
        if (isPaused) return
        isPaused = true
        for (const file of await changedSources(before, { writes })) add(file, stepId)
      }),
    resume: () =>
      inTurn(async () => {
        before = await retakeSnapshot(before, { now })
        isPaused = false
      }),
    async addWritten(files, cwd) {
      if (files.length === 0) return
      const realRoot = await realpath(root).catch(() => root)
      for (const { path, stepId } of files) {
        const real = await realpath(resolve(cwd, path)).catch(() => resolve(cwd, path))
        const name = isInside(real, realRoot) ? relative(realRoot, real).replaceAll(sep, '/') : real
        if (before.files.has(resolve(root, name)) && !isAllowed(name, writes)) add(name, stepId)
      }
    },
    get modified() {
      return [...found.values()]
    },
  }
}

/** Git is asked once in a run; scenarios that begin at once read the files once. */
function cachedSnapshot({ cache, ...request }: WatchRequest): Promise<SourceSnapshot> {
  const earlier = cache.get(request.root)?.catch(() => undefined)
  const snapshot = Promise.resolve(earlier).then((previous) =>
    previous ? retakeSnapshot(previous, request) : snapshotSources(request),
  )
  cache.set(request.root, snapshot)
  return snapshot
}
