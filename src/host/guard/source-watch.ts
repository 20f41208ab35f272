import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { isLog } from '../../records/folders/log-names.ts'
import type { ModifiedSource } from '../../verdict/verdict.ts'
import { inParallel } from '../../system/concurrency.ts'
import type { LeftChanges, ScenarioAtWork, OwnWrites } from './left-changes.ts'
import {
  changedSources,
  isAllowed,
  retakeSnapshot,
  snapshotSources,
  type SnapshotRequest,
  type SourceSnapshot,
} from './source-guard.ts'

/** Watches what an agent does to guarded files. Changes while it waits are not its own. */
export interface SourceWatch {
  /**
   * The agent waits or has ended: looks for changes since it went on. Does nothing while it waits already.
   *
   * @param stepId the step that was under way; absent where nobody knows
   */
  pause(stepId?: string): Promise<void>
  /** The agent goes on. Never rejects. */
  resume(): Promise<void>
  /** Adds files that the agent was seen to write, whatever they hold now. Paths are absolute or relative to `cwd`. */
  addWritten(files: readonly WrittenFile[], cwd: string): Promise<void>
  /** The agent has ended: later changes are not its own. */
  close(): void
  readonly modified: readonly ModifiedSource[]
}

export interface WrittenFile {
  readonly path: string
  readonly stepId?: string
}

/** The last snapshot of each root: what has not changed since is not read again. */
export type SnapshotCache = Map<string, Promise<SourceSnapshot>>

interface LeftOptions {
  readonly changes: LeftChanges
  readonly scenario: ScenarioAtWork
  readonly specs: ReadonlySet<string>
}

interface WatchOptions {
  readonly env: SnapshotRequest['env']
  readonly now: () => Date
  readonly writes: readonly string[]
  /** Absolute paths of files that may not be written, whatever `writes` says. Default: none. */
  readonly judges?: ReadonlySet<string>
  /** Absolute paths of files and folders that other checks cover: the spec, the logs. */
  readonly exempt: readonly string[]
  readonly ownWrites: OwnWrites
  /** Keeps changes that outlast the scenario. Absent for files that nobody tests later. */
  readonly left?: LeftOptions | undefined
}

interface WatchRequest extends SnapshotRequest, WatchOptions {
  readonly cache: SnapshotCache
  readonly programs?: readonly string[]
}

/**
 * Begins to watch a root, before the agent starts.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list.
 */
export async function watchSources(request: WatchRequest): Promise<SourceWatch> {
  return watchSnapshot(await cachedSnapshot(request), request)
}

export function watchSnapshot(
  snapshot: SourceSnapshot,
  { writes, judges, exempt, env, now, ownWrites, left }: WatchOptions,
): SourceWatch {
  const { root } = snapshot.places
  let before = snapshot
  let isPaused = false
  let queue: Promise<void> = Promise.resolve()
  const found = new Map<string, ModifiedSource>()
  const inTurn = (work: () => Promise<void>): Promise<void> => (queue = queue.then(work, work))
  // While an agent works mdtest writes and removes logs of other specs. They may be under version control.
  const isOurs = (file: string): boolean => isLog(file) || ownWrites.isAsWritten(resolve(root, file))
  const mayWrite = (file: string): boolean => judges?.has(resolve(root, file)) !== true && isAllowed(file, writes)
  const isExempt = (file: string): boolean => exempt.some((place) => isInside(resolve(root, file), place))
  const add = (file: string, stepId: string | undefined): void => {
    if (isOurs(file) || isExempt(file)) return
    found.set(`${stepId} ${file}`, { file, ...(stepId !== undefined && { stepId }) })
  }
  left?.changes.begin(left.scenario)
  return {
    pause: (stepId) =>
      inTurn(async () => {
        if (isPaused) return
        isPaused = true
        const changed = await withoutOthers(await changedSources(before, { writes, env, ...(judges && { judges }) }))
        for (const file of changed) add(file, stepId)
        for (const file of await shareChanges(changed.filter((one) => !isOurs(one)))) {
          if (!mayWrite(file) && ![...found.values()].some((known) => known.file === file)) add(file, stepId)
        }
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
        const isGuarded = before.files.has(resolve(root, name)) || before.places.others.has(name)
        if (isGuarded && !mayWrite(name)) add(name, stepId)
      }
    },
    close: () => left?.changes.end(left.scenario),
    get modified() {
      return [...found.values()]
    },
  }

  function othersAtWork(): readonly ScenarioAtWork[] {
    return left === undefined ? [] : left.changes.atWork.filter((other) => other !== left.scenario)
  }

  /** Without changes that count for others: a changed spec fails the scenario that rests on it. */
  async function withoutOthers(changed: readonly string[]): Promise<readonly string[]> {
    if (left === undefined) return changed
    const paths = changed.map((file) => ({ file, path: resolve(root, file) }))
    const ours = await inParallel(paths, {
      run: async ({ file, path }) => {
        if (left.scenario.spec.includes(path)) return [file]
        const isTheirs = othersAtWork().some(({ spec }) => spec.includes(path))
        return isTheirs || (await left.changes.isKnownSpec(path)) ? [] : [file]
      },
    })
    return ours.flat()
  }

  /** Tells other scenarios what changed, and gets what their agents changed: this scenario may rest on it. */
  async function shareChanges(changed: readonly string[]): Promise<readonly string[]> {
    if (left === undefined) return []
    const { changes, scenario, specs } = left
    const own = changed.filter((file) => !othersAtWork().some((other) => isAllowed(file, other.writes)))
    const known = await changes.list(scenario.spec)
    const paths = own.map((file) => ({ file, path: resolve(root, file) }))
    await changes.add(
      paths.map((each) => ({ ...each, isSpec: specs.has(each.path) })),
      scenario.by,
    )
    return known.map(({ file }) => file)
  }
}

export function watchTogether(watches: readonly SourceWatch[]): SourceWatch {
  const all = async (act: (watch: SourceWatch) => Promise<void>): Promise<void> => {
    for (const watch of watches) await act(watch)
  }
  return {
    pause: (stepId) => all((watch) => watch.pause(stepId)),
    resume: () => all((watch) => watch.resume()),
    addWritten: (files, cwd) => all((watch) => watch.addWritten(files, cwd)),
    close() {
      for (const watch of watches) watch.close()
    },
    get modified() {
      return watches.flatMap(({ modified }) => modified)
    },
  }
}

/** Asks git once in a run. Scenarios that begin at the same time read the files once. */
export function cachedSnapshot({
  cache,
  programs,
  ...request
}: SnapshotRequest & Pick<WatchRequest, 'cache' | 'programs'>): Promise<SourceSnapshot> {
  const earlier = cache.get(request.root)?.catch(() => undefined)
  const more = { now: request.now, more: request.extraFiles, ...(programs && { programs }) }
  const snapshot = Promise.resolve(earlier).then((previous) =>
    previous
      ? retakeSnapshot(previous, more)
      : snapshotSources(request).then((first) => (programs ? retakeSnapshot(first, more) : first)),
  )
  cache.set(request.root, snapshot)
  return snapshot
}
