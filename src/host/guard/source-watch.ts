import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside, pathIn } from '../../system/files/paths.ts'
import { isLog } from '../../records/folders/log-names.ts'
import type { ModifiedSource } from '../../verdict/verdict.ts'
import { hashBytes, hashFile, readContent, readStamp } from './file-state.ts'
import { changedSources, isAllowed, retakeSnapshot, snapshotSources } from './source-snapshots.ts'
import type { SnapshotRequest, SourceSnapshot } from './source-snapshots.ts'

export interface SourceWatch {
  /** Call when the agent waits or has ended. Collects changes since `resume`. Omit `stepId` if the step is unknown. */
  pause(stepId?: string): Promise<void>
  resume(): Promise<void>
  /** Like `pause`, but the agent keeps working. */
  check(stepId?: string): Promise<void>
  /** Adds files that the agent was seen to write, even if their old content is back. */
  addWritten(files: readonly WrittenFile[]): Promise<void>
  close(): void
  readonly modified: readonly ModifiedSource[]
}

export interface WrittenFile {
  readonly path: string
  readonly stepId?: string
}

interface LeftOptions {
  readonly changes: LeftChanges
  readonly scenario: ScenarioAtWork
  readonly specs: ReadonlySet<string>
}

export interface WatchOptions {
  readonly env: SnapshotRequest['env']
  readonly now: () => Date
  readonly writes: readonly string[]
  readonly judges?: ReadonlySet<string>
  readonly exempt: readonly string[]
  readonly ownWrites: OwnWrites
  readonly left?: LeftOptions | undefined
}

export function watchSnapshot(
  snapshot: SourceSnapshot,
  { writes, judges = new Set(), exempt, env, now, ownWrites, left }: WatchOptions,
): SourceWatch {
  const { root } = snapshot.places
  let before = snapshot
  let isPaused = false
  let queue: Promise<void> = Promise.resolve()
  const found = new Map<string, ModifiedSource>()
  const inTurn = (work: () => Promise<void>): Promise<void> => (queue = queue.then(work, work))
  // Exclude logs, because mdtest writes and removes logs of other specs meanwhile.
  const isOurs = (file: string): boolean => isLog(file) || ownWrites.isAsWritten(resolve(root, file))
  const mayWrite = (file: string): boolean => !judges.has(resolve(root, file)) && isAllowed(file, writes)
  const isExempt = (file: string): boolean => exempt.some((place) => isInside(resolve(root, file), place))
  const add = (file: string, stepId: string | undefined): void => {
    if (isOurs(file) || isExempt(file)) return
    found.set(`${stepId} ${file}`, { file, ...(stepId !== undefined && { stepId }) })
  }
  left?.changes.atWork.add(left.scenario)
  const look = async (stepId: string | undefined): Promise<boolean> => {
    const all = await changedSources(before, { writes, env, judges })
    const changed = left === undefined ? all : all.filter((file) => !isOfOthers(resolve(root, file), left))
    for (const file of changed) add(file, stepId)
    if (left === undefined) return all.length > 0
    const known = left.changes.list(left.scenario.spec).map(({ file }) => file)
    const ours = changed.filter((file) => !isOurs(file))
    shareChanges(ours, root, left)
    // A file that another agent changed counts here, too, because this scenario may depend on it.
    for (const file of known)
      if (!mayWrite(file) && ![...found.values()].some((one) => one.file === file)) add(file, stepId)
    return all.length > 0
  }
  return {
    pause: (stepId) =>
      inTurn(async () => {
        if (isPaused) return
        isPaused = true
        await look(stepId)
      }),
    // Take a new snapshot only after a change: taking one costs twice as much as comparing.
    check: (stepId) =>
      inTurn(async () => {
        if (!isPaused && (await look(stepId))) before = await retakeSnapshot(before, { now })
      }),
    resume: () =>
      inTurn(async () => {
        before = await retakeSnapshot(before, { now })
        isPaused = false
      }),
    async addWritten(files) {
      if (files.length === 0) return
      const realRoot = await realpath(root).catch(() => root)
      for (const { path, stepId } of files) {
        const real = await realpath(path).catch(() => path)
        const name = isInside(real, realRoot) ? pathIn(realRoot, real) : real
        const isGuarded = before.files.has(resolve(root, name)) || before.places.others.has(name)
        if (isGuarded && !mayWrite(name)) add(name, stepId)
      }
    },
    close: () => void left?.changes.atWork.delete(left.scenario),
    get modified() {
      return [...found.values()]
    },
  }
}

function isOfOthers(path: string, { changes, scenario }: LeftOptions): boolean {
  if (scenario.spec.includes(path)) return false
  return [...changes.atWork].some(({ spec }) => spec.includes(path)) || changes.isKnownSpec(path)
}

/** Reports changed files to the other scenarios, unless `writes` of a running scenario allows the change. */
function shareChanges(changed: readonly string[], root: string, { changes, scenario, specs }: LeftOptions): void {
  const others = [...changes.atWork].filter((other) => other !== scenario)
  for (const file of changed) {
    if (others.some(({ writes }) => isAllowed(file, writes))) continue
    const path = resolve(root, file)
    changes.add({ file, path, isSpec: specs.has(path), by: scenario.by })
  }
}

export type SnapshotCache = Map<string, Promise<SourceSnapshot>>

/** Takes a snapshot. The first snapshot of a root asks git; later snapshots read only changed files. */
export function cachedSnapshot(request: SnapshotRequest, cache: SnapshotCache): Promise<SourceSnapshot> {
  const earlier = cache.get(request.root)?.catch(() => undefined)
  const snapshot = Promise.resolve(earlier).then(async (previous) =>
    retakeSnapshot(previous ?? (await snapshotSources(request)), request),
  )
  cache.set(request.root, snapshot)
  return snapshot
}

export interface LeftChange {
  readonly file: string
  readonly path: string
  readonly by: string
  readonly isSpec: boolean
}

interface ScenarioAtWork {
  readonly by: string
  readonly writes: readonly string[]
  readonly spec: readonly string[]
}

/** Changes by agents of this run that nobody has undone. Scenarios that depend on the changed files do not run. */
export class LeftChanges {
  readonly atWork = new Set<ScenarioAtWork>()
  readonly #changes = new Map<string, LeftChange & { readonly left: string }>()

  /** Changes that are still there, except in other specs. `spec`: absolute paths of the spec and its includes. */
  list(spec: readonly string[]): readonly LeftChange[] {
    for (const { path, left } of this.#changes.values()) if (describeState(path) !== left) this.#changes.delete(path)
    return [...this.#changes.values()].filter(({ isSpec, path }) => !isSpec || spec.includes(path))
  }

  /** Whether a spec still contains a change by an agent. The scenario of that agent has already failed for it. */
  isKnownSpec(path: string): boolean {
    const change = this.#changes.get(path)
    return change?.isSpec === true && describeState(path) === change.left
  }

  add(change: LeftChange): void {
    this.#changes.set(change.path, { ...change, left: describeState(change.path) })
  }
}

function describeState(path: string): string {
  const { stamp, mode } = readStamp(path)
  return `${mode} ${readContent(path, mode) ?? stamp}`
}

/** Files that mdtest itself rewrote during a run, so that agents are not blamed for the change. */
export class OwnWrites {
  readonly #hashes = new Map<string, string>()

  add(file: string, text: string): void {
    this.#hashes.set(file, hashBytes(text))
  }

  isAsWritten(file: string): boolean {
    const hash = this.#hashes.get(file)
    return hash !== undefined && hash === hashFile(file)
  }
}
