import { entriesOf } from '../../system/files/list-files.ts'
import { constants, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, relative, sep, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isInside } from '../../system/files/paths.ts'
import { coarsestClockMs, readConfigFolders, type ConfigFolders } from './config-folders.ts'
import { readContent, readStamp, type FileState } from './file-state.ts'
import { indexStamp } from './git-files.ts'
import { placesOfRoot, untrackedSince, type GuardedPlaces, type PlacesRequest } from './guarded-places.ts'
import { inParallel } from '../../system/concurrency.ts'
import { changedPrograms, readPrograms, takesName, type InstalledPrograms } from './installed-programs.ts'
import { matchGlob } from '../../system/files/match-glob.ts'

/** The files that an agent must not change, as they were before it started. */
export interface SourceSnapshot {
  readonly places: GuardedPlaces
  readonly files: ReadonlyMap<string, FileState>
  /** Names in the root of targets of links. */
  readonly behindLinks: ReadonlyMap<string, string>
  readonly folders: ConfigFolders
  readonly programs: InstalledPrograms
  readonly takenAtMs: number
}

interface Clock {
  readonly now: () => Date
}

export type SnapshotRequest = PlacesRequest & Clock

/**
 * Remembers the guarded files of a root (`placesOfRoot`), and the targets of links among them. Files above 50 MiB and
 * programs above 1 MiB are remembered by size, times and inode only.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list.
 */
export async function snapshotSources(request: SnapshotRequest): Promise<SourceSnapshot> {
  return snapshotPlaces(await placesOfRoot(request), request)
}

export function snapshotPlaces(
  places: GuardedPlaces,
  { now, signal }: Clock & Pick<SnapshotRequest, 'signal'>,
): Promise<SourceSnapshot> {
  return readSources(places, { takenAtMs: now().getTime(), previous: undefined, signal })
}

/**
 * The same files as they are now, and further ones. Does not ask git again: the agent may have changed what it tracks.
 *
 * @param request.more absolute paths
 */
export function retakeSnapshot(
  { places, ...before }: SourceSnapshot,
  {
    now,
    more = [],
    programs = [],
  }: Clock & { readonly more?: readonly string[]; readonly programs?: readonly string[] },
): Promise<SourceSnapshot> {
  const all = {
    ...places,
    index: indexStamp(places.repository),
    files: new Set([...places.files, ...more]),
    programs: [...new Set([...places.programs, ...programs])],
  }
  return readSources(all, { takenAtMs: now().getTime(), previous: { places, ...before } })
}

interface ReadOptions extends Pick<SourceSnapshot, 'takenAtMs'> {
  readonly previous: SourceSnapshot | undefined
  readonly signal?: AbortSignal | undefined
}

async function readSources(
  places: GuardedPlaces,
  { takenAtMs, previous, signal }: ReadOptions,
): Promise<SourceSnapshot> {
  const folders = readConfigFolders(places.folders, { previous, isMeant: places.isConfig })
  const programs = readPrograms(places.programs, previous?.programs)
  const configs = [...folders.values()].flatMap((folder) => folder.files)
  const stamps = new Map(await readStamps(new Set([...places.files, ...configs]), signal))
  const links = [...stamps].flatMap(([file, { mode }]) => (kindOf(mode) === constants.S_IFLNK ? [file] : []))
  const behindLinks = filesBehindLinks(links, places.root)
  for (const file of behindLinks.keys()) if (!stamps.has(file)) stamps.set(file, readStamp(file))
  const files = new Map<string, FileState>()
  for (const [file, state] of stamps) {
    const known = previous && isUntouched(previous, file, state) ? previous.files.get(file)?.content : undefined
    const content = known ?? (await readContent(file, state.mode))
    files.set(file, content === undefined ? state : { ...state, content })
    if (files.size % batchSize === 0) await letOthersWork(signal)
  }
  return { places, files, behindLinks, folders, programs, takenAtMs }
}

interface ChangeOptions {
  /** Patterns of `matchGlob`, relative to the root: files that may change. */
  readonly writes: readonly string[]
  /** Absolute paths of files that may not, whatever `writes` says. */
  readonly judges?: ReadonlySet<string>
  readonly env?: SnapshotRequest['env']
  readonly signal?: AbortSignal
}

/**
 * Names what differs from the snapshot: guarded files with other content or permissions, deleted or replaced ones; new
 * configuration; files that git no longer tracks; programs that are new, gone or changed. A file that was touched, or
 * changed and restored, does not differ. Other new files do not count. Setting the times of a file back does not hide a
 * change: nobody can set the change time of its inode.
 *
 * @returns sorted, relative to the root with slashes; absolute for files outside
 */
export async function changedSources(
  before: SourceSnapshot,
  { writes, judges, env = {}, signal }: ChangeOptions,
): Promise<readonly string[]> {
  const { places, files } = before
  const folders = readConfigFolders(places.folders, { previous: before, isMeant: places.isConfig })
  const configs = [...folders.values()].flatMap((folder) => folder.files)
  const stamps = await readStamps(files.keys(), signal)
  const suspects = [...files].filter(([file]) => !isUntouched(before, file, stamps.get(file)))
  const changed = await inParallel(suspects, {
    signal,
    run: async ([file, then]) => ((await isSame(file, then, stamps.get(file))) ? [] : [file]),
  })
  const appeared = changed.flat().filter((file) => !(places.mayAppear.has(file) && files.get(file)?.mode === 0))
  const all = [...appeared, ...configs.filter((file) => !files.has(file)), ...programsOf(before)]
  const names = all
    .filter((file) => judges?.has(file) || !mayChange(file, { before, writes }))
    .map((file) => nameOf(places.root, file))
  const untracked = (await untrackedSince(places, env)).filter((name) => !isAllowed(name, writes))
  return [...new Set([...names, ...untracked])].sort()
}

function programsOf({ programs, places }: SourceSnapshot): readonly string[] {
  const changed = changedPrograms(programs, readPrograms(programs.folders, programs))
  const isNew = (file: string): boolean => !programs.states.has(file)
  return changed.filter((file) => !isNew(file) || places.isStrict(dirname(file)) || takesName(file, places.path))
}

/** `writes` may name the target of a link by the link. */
function mayChange(
  file: string,
  { before, writes }: { readonly before: SourceSnapshot; readonly writes: readonly string[] },
): boolean {
  const { places, behindLinks } = before
  const link = behindLinks.get(file)
  const names = [nameOf(places.root, file), ...(link === undefined ? [] : [nameOf(places.root, link)])]
  return names.some((name) => isAllowed(name, writes))
}

/** Whether front matter `writes` lets a file be changed. The name is relative to the root, with slashes. */
export function isAllowed(name: string, writes: readonly string[]): boolean {
  return writes.some((pattern) => matchGlob(name, pattern))
}

const batchSize = 250

async function readStamps(paths: Iterable<string>, signal?: AbortSignal): Promise<ReadonlyMap<string, FileState>> {
  const stamps = new Map<string, FileState>()
  for (const path of paths) {
    stamps.set(path, readStamp(path))
    if (stamps.size % batchSize === 0) await letOthersWork(signal)
  }
  return stamps
}

async function letOthersWork(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await setImmediate()
}

/**
 * Whether the stamp alone shows that a file is unchanged. A file that was written just before the snapshot may have been
 * written again within one tick of the clock: it has to be read.
 */
function isUntouched(before: SourceSnapshot, file: string, now: FileState | undefined): boolean {
  const then = before.files.get(file)
  if (then === undefined || then.stamp !== now?.stamp) return false
  return then.content === undefined || then.ctimeMs < before.takenAtMs - coarsestClockMs
}

async function isSame(file: string, then: FileState, now: FileState | undefined): Promise<boolean> {
  if (now === undefined || then.mode !== now.mode) return false
  return then.content !== undefined && then.content === (await readContent(file, now.mode))
}

function kindOf(mode: number): number {
  return mode & constants.S_IFMT
}

/** Relative to the root with slashes; absolute for files outside. */
function nameOf(root: string, file: string): string {
  return isInside(file, root) ? relative(root, file).replaceAll(sep, '/') : file
}

const maxBehindLink = 2_000

/**
 * The files that links in the root lead to, by where they are, with their names in the root. A link to a folder counts only
 * where that lies outside: what is in the root is tracked, or the agent's to write.
 *
 * @param links absolute paths
 */
export function filesBehindLinks(links: readonly string[], root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (links.length === 0) return found
  const realRoot = realpathSync(root)
  for (const link of links) {
    const behind = lookBehind(link)
    if (behind === undefined) continue
    const { stats, target } = behind
    if (stats.isFile()) found.set(target, link)
    if (stats.isDirectory() && !isInside(target, realRoot) && !isInside(realRoot, target)) {
      for (const inner of filesBelow(target)) found.set(inner, resolve(link, inner.slice(target.length + 1)))
    }
  }
  return found
}

/** Nothing for a link that leads nowhere or in a circle. */
function lookBehind(link: string): { readonly stats: Stats; readonly target: string } | undefined {
  try {
    return { stats: statSync(link), target: realpathSync(link) }
  } catch {
    return undefined
  }
}

function filesBelow(folder: string): readonly string[] {
  const files: string[] = []
  const queue = [folder]
  for (let path = queue.pop(); path !== undefined && files.length < maxBehindLink; path = queue.pop()) {
    for (const entry of entriesOf(path)) {
      if (entry.isFile()) files.push(join(path, entry.name))
      else if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') {
        queue.push(join(path, entry.name))
      }
    }
  }
  return files
}
