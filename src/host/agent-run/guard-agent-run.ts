import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { placesOfCopy, placesOfFiles, programFolders } from '../guard/guarded-places.ts'
import type { GuardedFiles, GuardedPlaces } from '../guard/guarded-places.ts'
import type { ScenarioPlace, ScenarioRequest } from '../protocol/protocol.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { isAllowed, snapshotPlaces, type SourceSnapshot } from '../guard/source-snapshots.ts'
import { cachedSnapshot, LeftChanges, watchSnapshot } from '../guard/source-watch.ts'
import type { LeftChange, OwnWrites, SnapshotCache, SourceWatch } from '../guard/source-watch.ts'

export interface GuardOptions {
  readonly guardedFiles?: readonly string[]
  readonly listSpecs?: () => Promise<readonly string[]>
}

export class RunGuard {
  readonly snapshots: SnapshotCache = new Map()
  readonly ownWrites: OwnWrites
  readonly #options: GuardOptions
  #specs: Promise<ReadonlySet<string>> | undefined
  readonly #left = new Map<string, LeftChanges>()
  guarded: GuardedFiles | undefined

  constructor(options: GuardOptions, ownWrites: OwnWrites) {
    this.#options = options
    this.ownWrites = ownWrites
  }

  beginRun(): void {
    this.snapshots.clear()
    this.#specs = undefined
    this.#left.clear()
    this.guarded = undefined
  }

  /** Files to guard even if git does not track them. Specs are listed once per run. */
  async files(): Promise<{ readonly configuration: readonly string[]; readonly specs: ReadonlySet<string> }> {
    const { guardedFiles = [], listSpecs = async () => [] } = this.#options
    this.#specs ??= listSpecs().then((files) => new Set(files))
    return { configuration: guardedFiles, specs: await this.#specs }
  }

  note({ files, places: { others, othersCap: cap } }: SourceSnapshot): void {
    const count = files.size + others.size
    if (this.guarded !== undefined && this.guarded.count >= count) return
    this.guarded = { count, ...(cap !== undefined && { cap }) }
  }

  leftIn(root: string): LeftChanges {
    const left = this.#left.get(root) ?? new LeftChanges()
    this.#left.set(root, left)
    return left
  }
}

export function describeLeftChanges(request: ScenarioRequest, guard: RunGuard): string | undefined {
  const left = guard.leftIn(request.root).list(specFilesOf(request))
  return describeLeft(left.filter(({ file }) => !isAllowed(file, writesInRoot(request))))
}

/** Patterns of `writes` that mean files of the root. A relative pattern means `ownFolder`, if the scenario has one. */
function writesInRoot({ writes, ownFolder }: ScenarioRequest): readonly string[] {
  return ownFolder ? writes.filter((pattern) => isAbsolute(pattern)) : writes
}

/** For a scenario without an agent. @throws {MdtestError} `SPEC_MODIFIED` if an earlier agent changed the spec */
export function assertSpecIsOwn({ root, spec }: ScenarioPlace, guard: RunGuard): void {
  const left = guard.leftIn(root).list(spec)
  const message = describeLeft(left.filter(({ isSpec }) => isSpec))
  if (message !== undefined) throw new MdtestError('SPEC_MODIFIED', message)
}

function describeLeft(changes: readonly LeftChange[]): string | undefined {
  const [first] = changes
  if (first === undefined) return undefined
  const named = changes.slice(0, 5).map(({ file }) => `\`${file}\``)
  const more = changes.length > named.length ? ` and ${changes.length - named.length} more` : ''
  return `The agent of "${first.by}" changed what is to be tested, and nobody has undone it: ${named.join(', ')}${more}. Undo the change (\`git checkout -- ${first.file}\`; remove a file that is new). To keep it, run again.`
}

interface WatchContext {
  readonly guard: RunGuard
  readonly env: NodeJS.ProcessEnv
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly logs: LogPaths
  readonly agentFile: string
  readonly releases: { add(release: () => void): void }
}

export async function watchScenario(
  request: ScenarioRequest,
  { logs, agentFile, guard, releases, env, now, signal }: WatchContext,
): Promise<readonly SourceWatch[]> {
  const { root, specFile, writes, settings, title } = request
  const spec = specFilesOf(request)
  const logFolders = [dirname(logs.log), ...(settings.logs.dir === undefined ? [] : [resolve(root, settings.logs.dir)])]
  const exempt = [...spec, ...logFolders, ...(isInside(agentFile, root) ? [] : [agentFile])]
  const programs = programFolders({ root, packages: [], path: request.env.PATH, home: env.HOME })
  const files = await guard.files()
  // An agent could create a missing recording, which later runs would replay. So missing recordings are guarded, too.
  const recordings = new Set([...files.specs, specFile].map(recordingFileOf))
  const specs = new Set([...files.specs, ...spec, ...recordings])
  const extraFiles = [...new Set([...files.configuration, ...specs])]
  const options = { env, now, writes, ownWrites: guard.ownWrites, judges: recordings }
  const before = await cachedSnapshot({ root, extraFiles, programs, env, now, signal }, guard.snapshots)
  guard.note(before)
  const scenario = { by: `${relative(root, specFile)} > ${title}`, writes: writesInRoot(request), spec }
  const left = { changes: guard.leftIn(root), scenario, specs }
  const ofRoot = watchSnapshot(before, { ...options, writes: writesInRoot(request), exempt, left })
  releases.add(() => ofRoot.close())
  const own = ownPlaces(request, before.places)
  if (own === undefined) return [ofRoot]
  const ofCopy = watchSnapshot(await snapshotPlaces(own, { now, signal }), { ...options, exempt: [] })
  return [ofRoot, ofCopy]
}

function ownPlaces(
  { cwd, ownFolder, writtenFiles = [] }: ScenarioRequest,
  original: GuardedPlaces,
): GuardedPlaces | undefined {
  const written = placesOfFiles(cwd, writtenFiles)
  if (ownFolder !== 'copy') return writtenFiles.length === 0 ? undefined : written
  const copy = placesOfCopy(cwd, original)
  return { ...copy, files: new Set([...copy.files, ...written.files]), mayAppear: written.mayAppear }
}

/** Files that the scenario comes from: the spec, its includes, and seeds (code of another test runner). */
export function specFilesOf({ specFile, includedFiles, parts = [] }: ScenarioRequest): readonly string[] {
  return [...new Set([specFile, ...includedFiles, ...parts.map(({ file }) => file)])]
}
