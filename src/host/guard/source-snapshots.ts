import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isInside, pathIn, statsOf } from '../../system/files/paths.ts'
import { matchGlob } from '../../system/files/match-glob.ts'
import {
  coarsestClockMs,
  isLink,
  entryNamesOf,
  readContent,
  readProgramContent,
  readProgramStamp,
  readStamp,
  type FileState,
} from './file-state.ts'
import { indexStamp } from './git-files.ts'
import {
  someFilesBelow,
  placesOfRoot,
  programsIn,
  takesName,
  untrackedSince,
  type GuardedPlaces,
  type PlacesRequest,
} from './guarded-places.ts'

type FileStates = ReadonlyMap<string, FileState>

export interface SourceSnapshot {
  readonly places: GuardedPlaces
  readonly files: FileStates
  readonly programs: FileStates
  readonly behindLinks: ReadonlyMap<string, string>
  readonly takenAtMs: number
}

export interface SnapshotRequest extends PlacesRequest {
  readonly now: () => Date
}

export async function snapshotSources(request: SnapshotRequest): Promise<SourceSnapshot> {
  return snapshotPlaces(await placesOfRoot(request), request)
}

/** Reads the same files again, and `more`. Does not ask git, because the agent may have changed its index. */
export function retakeSnapshot(
  previous: SourceSnapshot,
  {
    now,
    more = [],
    programs = [],
  }: Pick<SnapshotRequest, 'now'> & { readonly more?: readonly string[]; readonly programs?: readonly string[] },
): Promise<SourceSnapshot> {
  const { places } = previous
  const all = {
    ...places,
    index: indexStamp(places.repository),
    files: new Set([...places.files, ...more]),
    programs: [...new Set([...places.programs, ...programs])],
  }
  return snapshotPlaces(all, { now, previous })
}

/** @param previous with it, files whose stamp is unchanged are not read again */
export async function snapshotPlaces(
  places: GuardedPlaces,
  { now, signal, previous }: Pick<SnapshotRequest, 'now' | 'signal'> & { readonly previous?: SourceSnapshot },
): Promise<SourceSnapshot> {
  const takenAtMs = now().getTime()
  const own = new Set([...places.files, ...configsOf(places, takenAtMs)])
  const read = async (paths: Iterable<string>, look: Look, known?: FileStates): Promise<FileStates> => {
    const states = new Map<string, FileState>()
    for (const path of paths) {
      const [state, then] = [look.stamp(path), known?.get(path)]
      const isKnown = previous !== undefined && isUntouched(then, state, previous.takenAtMs)
      states.set(path, { ...state, content: isKnown ? then?.content : look.content(path, state.mode) })
      if (states.size % batchSize === 0) await letOthersWork(signal)
    }
    return states
  }
  const ofPlaces = await read(own, ofFiles, previous?.files)
  const links = [...own].filter((file) => isLink(ofPlaces.get(file)?.mode ?? 0))
  const behindLinks = filesBehindLinks(links, places.root)
  const files = new Map([...ofPlaces, ...(await read(behindLinks.keys(), ofFiles, previous?.files))])
  const programs = await read(
    places.programs.flatMap((folder) => programsIn(folder, takenAtMs)),
    ofPrograms,
    previous?.programs,
  )
  return { places, files, programs, behindLinks, takenAtMs }
}

interface Look {
  stamp(file: string): FileState
  content(file: string, mode: number): string | undefined
}

const ofFiles: Look = { stamp: readStamp, content: readContent }
const ofPrograms: Look = { stamp: readProgramStamp, content: readProgramContent }

interface ChangeOptions {
  readonly writes: readonly string[]
  /** Absolute paths of files that must not change, whatever `writes` says. */
  readonly judges?: ReadonlySet<string>
  readonly env?: SnapshotRequest['env']
}

/** Sorted names of changed files. Restored files do not count. Relies on the ctime, which no program can set back. */
export async function changedSources(
  before: SourceSnapshot,
  { writes, judges, env = {} }: ChangeOptions,
): Promise<readonly string[]> {
  const { places, files, programs, behindLinks, takenAtMs } = before
  const differing = async (states: FileStates, look: Look): Promise<readonly string[]> => {
    const found: string[] = []
    let count = 0
    for (const [file, then] of states) {
      const now = look.stamp(file)
      if (!isUntouched(then, now, takenAtMs) && !isSameState(then, { ...now, content: look.content(file, now.mode) }))
        found.push(file)
      if ((count += 1) % batchSize === 0) await letOthersWork()
    }
    return found
  }
  const changed = await differing(files, ofFiles)
  const isFirst = (file: string): boolean => places.mayAppear.has(file) && files.get(file)?.mode === 0
  const all = [
    ...changed.filter((file) => !isFirst(file)),
    ...configsOf(places, takenAtMs).filter((file) => !files.has(file)),
    ...(await differing(programs, ofPrograms)),
    ...places.programs
      .flatMap((folder) => programsIn(folder, takenAtMs))
      .filter((file) => !programs.has(file) && (places.isStrict(dirname(file)) || takesName(file, places.path))),
  ]
  const nameOf = (file: string): string => (isInside(file, places.root) ? pathIn(places.root, file) : file)
  const mayChange = (file: string): boolean =>
    [file, behindLinks.get(file) ?? file].some((path) => isAllowed(nameOf(path), writes))
  const names = all.filter((file) => judges?.has(file) || !mayChange(file)).map(nameOf)
  const untracked = (await untrackedSince(places, env)).filter((name) => !isAllowed(name, writes))
  return [...new Set([...names, ...untracked])].sort()
}

function configsOf({ folders, isConfig }: GuardedPlaces, nowMs: number): readonly string[] {
  return [...folders].flatMap((folder) =>
    entryNamesOf(folder, nowMs).flatMap((name) => (isConfig(name) ? [join(folder, name)] : [])),
  )
}

/** Whether `writes` in the front matter allows changing a file. `name`: relative to the root, with slashes. */
export function isAllowed(name: string, writes: readonly string[]): boolean {
  return writes.some((pattern) => matchGlob(name, pattern))
}

const batchSize = 250

async function letOthersWork(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await setImmediate()
}

/** Whether equal stamps prove a file unchanged. Just after a write, another write may leave the stamp equal. */
function isUntouched(then: FileState | undefined, now: FileState, takenAtMs: number): boolean {
  if (then?.stamp !== now.stamp) return false
  return then.content === undefined || then.ctimeMs < takenAtMs - coarsestClockMs
}

function isSameState(then: FileState, now: FileState): boolean {
  return then.mode === now.mode && then.content !== undefined && then.content === now.content
}

const maxBehindLink = 2_000

/** Maps each file behind a link to its path through the link. Skips links to folders inside the root. */
export function filesBehindLinks(links: readonly string[], root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (links.length === 0) return found
  const realRoot = realpathSync(root)
  for (const link of links) {
    const stats = statsOf(link)
    if (stats === undefined) continue
    const target = realpathSync(link)
    if (stats.isFile()) found.set(target, link)
    if (stats.isDirectory() && !isInside(target, realRoot) && !isInside(realRoot, target)) {
      for (const inner of someFilesBelow(target, maxBehindLink))
        found.set(inner, resolve(link, inner.slice(target.length + 1)))
    }
  }
  return found
}
