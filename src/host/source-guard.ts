import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isInside } from '../agents/is-inside.ts'
import { readContent, readStamp, type FileState } from './file-state.ts'
import { inParallel } from './in-parallel.ts'
import { changedPrograms, programFolders, readPrograms, type InstalledPrograms } from './installed-programs.ts'
import { listGitFiles } from './list-git-files.ts'
import { matchGlob } from '../shared/match-glob.ts'

/** The files that an agent must not change, as they were before it started. */
export interface SourceSnapshot {
  readonly root: string
  /** By absolute path. */
  readonly files: ReadonlyMap<string, FileState>
  readonly programs: InstalledPrograms
  /** Milliseconds since 1970. */
  readonly takenAtMs: number
}

export interface SnapshotRequest {
  /** Absolute path; the files that git tracks below it are guarded. */
  readonly root: string
  /** Absolute paths guarded besides, tracked or not: the Vitest configuration, modules that blocks import. */
  readonly extraFiles: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly signal?: AbortSignal
}

/**
 * Remembers the files that git tracks below `root`, those of checked-out submodules included. A repository inside
 * that is no submodule is untracked, so it is not guarded. Without git only `extraFiles` are; of a link among them
 * its target, too. Files above 50 MiB are remembered by size, times and inode only, and so are programs in
 * `node_modules/.bin`, tracked or not.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list.
 */
export async function snapshotSources(request: SnapshotRequest): Promise<SourceSnapshot> {
  const { root, extraFiles, signal } = request
  const tracked = await listGitFiles(['--cached', '--recurse-submodules'], { ...request, folder: root })
  const targets = await Promise.all(extraFiles.map((file) => realpath(file).catch(() => file)))
  const paths = [...(tracked ?? []).map((path) => resolve(root, path)), ...extraFiles, ...targets]
  const folders = programFolders(root, request.env.PATH)
  return readSources([...new Set(paths)], { ...takenNow(request, folders), root, previous: undefined, signal })
}

/** The same files as they are now: what git tracks is not asked again, for the agent may have changed that, too. */
export function retakeSnapshot(before: SourceSnapshot, request: Pick<SnapshotRequest, 'now'>): Promise<SourceSnapshot> {
  const { root, files, programs } = before
  return readSources([...files.keys()], { ...takenNow(request, programs.folders), root, previous: before })
}

function takenNow(
  { now }: Pick<SnapshotRequest, 'now'>,
  folders: readonly string[],
): Pick<SourceSnapshot, 'takenAtMs' | 'programs'> {
  return { takenAtMs: now().getTime(), programs: readPrograms(folders) }
}

interface ReadOptions extends Pick<SourceSnapshot, 'root' | 'programs' | 'takenAtMs'> {
  readonly previous: SourceSnapshot | undefined
  readonly signal?: AbortSignal | undefined
}

async function readSources(
  paths: readonly string[],
  { root, programs, takenAtMs, previous, signal }: ReadOptions,
): Promise<SourceSnapshot> {
  const stamps = await readStamps(paths, signal)
  const files = new Map<string, FileState>()
  for (const [file, state] of stamps) {
    const known = previous && isUntouched(previous, file, state) ? previous.files.get(file)?.content : undefined
    const content = known ?? (await readContent(file, state.mode))
    files.set(file, content === undefined ? state : { ...state, content })
    if (files.size % batchSize === 0) await letOthersWork(signal)
  }
  return { root, files, programs, takenAtMs }
}

/**
 * The guarded files that differ from the snapshot: other content, other permissions, deleted, or replaced by a link
 * or by anything else. Relative to the root with slashes, sorted; absolute for files outside. A file that was
 * touched, or changed and put back, does not differ; a new file is none of them. Of the programs in `node_modules/.bin`
 * also new ones and those that were only touched. An agent that sets the times of a
 * file back is seen, because the time of the last change of its inode cannot be set.
 *
 * @param options.writes patterns of `matchGlob`, relative to the root: files that may change
 */
export async function changedSources(
  before: SourceSnapshot,
  { writes, signal }: { readonly writes: readonly string[]; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const named = [...before.files.keys()].map((file) => [file, nameOf(before.root, file)] as const)
  const guarded = named.filter(([, name]) => !isAllowed(name, writes))
  const stamps = await readStamps(
    guarded.map(([file]) => file),
    signal,
  )
  const suspects = guarded.filter(([file]) => !isUntouched(before, file, stamps.get(file)))
  const changed = await inParallel(suspects, {
    signal,
    run: async ([file, name]) => ((await isSame(file, before.files.get(file), stamps.get(file))) ? [] : [name]),
  })
  const programs = changedPrograms(before.programs, readPrograms(before.programs.folders))
  const guardedPrograms = programs.map((file) => nameOf(before.root, file)).filter((name) => !isAllowed(name, writes))
  return [...new Set([...changed.flat(), ...guardedPrograms])].sort()
}

/** Whether front matter `writes` lets a file be changed. The name is relative to the root, with slashes. */
export function isAllowed(name: string, writes: readonly string[]): boolean {
  return writes.some((pattern) => matchGlob(name, pattern))
}

/** How many files are looked at before other work gets its turn. */
const batchSize = 250

async function readStamps(paths: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, FileState>> {
  const stamps = new Map<string, FileState>()
  for (const [index, path] of paths.entries()) {
    stamps.set(path, readStamp(path))
    if (index % batchSize === batchSize - 1) await letOthersWork(signal)
  }
  return stamps
}

async function letOthersWork(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await setImmediate()
}

/** The clock of a file system may be as coarse as this, in milliseconds. */
const coarsestClockMs = 2_000

/**
 * Whether the stamp alone tells that a file is as it was. A file that had just been written when the snapshot was
 * taken may have been written again within one tick of the clock, so it has to be read.
 */
function isUntouched(before: SourceSnapshot, file: string, now: FileState | undefined): boolean {
  const then = before.files.get(file)
  if (then === undefined || then.stamp !== now?.stamp) return false
  return then.content === undefined || then.ctimeMs < before.takenAtMs - coarsestClockMs
}

async function isSame(file: string, then: FileState | undefined, now: FileState | undefined): Promise<boolean> {
  if (then === undefined || now === undefined || then.mode !== now.mode) return false
  return then.content !== undefined && then.content === (await readContent(file, now.mode))
}

function nameOf(root: string, file: string): string {
  return isInside(file, root) ? relative(root, file).replaceAll(sep, '/') : file
}
