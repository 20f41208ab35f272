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
import { someFilesBelow, placesOfRoot, programsIn, takesName, untrackedSince } from './guarded-places.ts'
import type { GuardedPlaces, PlacesRequest } from './guarded-places.ts'

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
  /** More folders whose programs are guarded. */
  readonly programs?: readonly string[]
}

export async function snapshotSources(request: SnapshotRequest): Promise<SourceSnapshot> {
  return snapshotPlaces(await placesOfRoot(request), request)
}

/** Reads the files of `previous` and further files. Does not ask git: the agent may have changed its index. */
export function retakeSnapshot(
  previous: SourceSnapshot,
  { now, extraFiles = [], programs = [] }: Partial<SnapshotRequest> & Pick<SnapshotRequest, 'now'>,
): Promise<SourceSnapshot> {
  const { places } = previous
  const all = {
    ...places,
    index: indexStamp(places.repository),
    files: new Set([...places.files, ...extraFiles]),
    programs: [...new Set([...places.programs, ...programs])],
  }
  return snapshotPlaces(all, { now, previous })
}

interface ReadOptions {
  /** Files that are untouched since this snapshot are not read again. */
  readonly previous?: SourceSnapshot
  readonly signal?: AbortSignal | undefined
}

export async function snapshotPlaces(
  places: GuardedPlaces,
  { now, ...options }: Pick<SnapshotRequest, 'now'> & ReadOptions,
): Promise<SourceSnapshot> {
  const takenAtMs = now().getTime()
  const own = new Set([...places.files, ...configsOf(places, takenAtMs)])
  const ofPlaces = await readStates(own, 'files', options)
  const links = [...own].filter((file) => isLink(ofPlaces.get(file)?.mode ?? 0))
  const behindLinks = filesBehindLinks(links, places.root)
  const files = new Map([...ofPlaces, ...(await readStates(behindLinks.keys(), 'files', options))])
  const inFolders = places.programs.flatMap((folder) => programsIn(folder, takenAtMs))
  return { places, files, programs: await readStates(inFolders, 'programs', options), behindLinks, takenAtMs }
}

const readers = {
  files: { stampOf: readStamp, contentOf: readContent },
  programs: { stampOf: readProgramStamp, contentOf: readProgramContent },
}

/** Reads only changed files. For an untouched file, the state object of `previous` is reused. */
async function readStates(
  paths: Iterable<string>,
  kind: keyof typeof readers,
  { previous, signal }: ReadOptions,
): Promise<FileStates> {
  const { stampOf, contentOf } = readers[kind]
  const states = new Map<string, FileState>()
  for (const path of paths) {
    const [then, now] = [previous?.[kind].get(path), stampOf(path)]
    const isKnown = then !== undefined && isUntouched(then, now, previous?.takenAtMs)
    states.set(path, isKnown ? then : { ...now, content: contentOf(path, now.mode) })
    if (states.size % batchSize !== 0) continue
    signal?.throwIfAborted()
    await setImmediate()
  }
  return states
}

const batchSize = 250

interface ChangeOptions {
  readonly writes: readonly string[]
  /** Absolute paths of files that must not change, even if `writes` allows it. */
  readonly judges?: ReadonlySet<string>
  readonly env?: SnapshotRequest['env']
}

/** Sorted names of changed files, without restored ones. Compares the ctime, which no program can set back. */
export async function changedSources(
  before: SourceSnapshot,
  { writes, judges, env = {} }: ChangeOptions,
): Promise<readonly string[]> {
  const { places, files, programs, behindLinks, takenAtMs } = before
  const differing = async (kind: 'files' | 'programs'): Promise<readonly string[]> => {
    const now = await readStates(before[kind].keys(), kind, { previous: before })
    return [...before[kind]].flatMap(([file, then]) => (isSameState(then, now.get(file)) ? [] : [file]))
  }
  const changed = await differing('files')
  const isFirst = (file: string): boolean => places.mayAppear.has(file) && files.get(file)?.mode === 0
  const all = [
    ...changed.filter((file) => !isFirst(file)),
    ...configsOf(places, takenAtMs).filter((file) => !files.has(file)),
    ...(await differing('programs')),
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

/** Whether equal stamps prove that a file is unchanged. Soon after a write, another write can leave the same stamp. */
function isUntouched(then: FileState, now: FileState, takenAtMs = -Infinity): boolean {
  return then.stamp === now.stamp && (then.content === undefined || then.ctimeMs < takenAtMs - coarsestClockMs)
}

function isSameState(then: FileState, now: FileState | undefined): boolean {
  return then === now || (then.mode === now?.mode && then.content !== undefined && then.content === now.content)
}

const maxBehindLink = 2_000

/** Files behind symbolic links. Key: real path; value: path through the link. Skips folders inside the root. */
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
