import { isLog } from '../../records/folders/log-names.ts'
import { entriesOf } from '../../system/files/list-files.ts'
import { lstatSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { isConfigName, isEnvironmentName } from './config-folders.ts'
import { findRepository, indexStamp, type Repository, listTracked, listGitFiles } from './git-files.ts'
import { isOfPackages, programFolders } from './installed-programs.ts'
import type { GitContext } from '../../system/git/run-git.ts'

/** Where an agent must not change anything. All paths are absolute. */
export interface GuardedPlaces {
  /** Messages name files relative to it. */
  readonly root: string
  readonly files: ReadonlySet<string>
  /** Names of files of the root that git does not track and does not ignore, relative to it: what the agent itself wrote there counts. */
  readonly others: ReadonlySet<string>
  /** How many of them are looked at; absent where there are no more. */
  readonly othersCap?: number
  /** Those of `files` that may appear: they are compared from then on. */
  readonly mayAppear: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  isConfig(name: string): boolean
  readonly programs: readonly string[]
  /** Whether each new program in a folder counts, or only one that has the name of another on `PATH`. */
  isStrict(folder: string): boolean
  readonly path: string | undefined
  /** What git tracks, relative to the root. `index` is the state of its index at that time. */
  readonly tracked?: readonly string[] | undefined
  readonly repository?: Repository | undefined
  readonly index?: string | undefined
}

export interface GuardedFiles {
  readonly count: number
  /** Files that git does not track, beyond which none is guarded; absent where there are no more. */
  readonly cap?: number
}

export interface PlacesRequest {
  readonly root: string
  readonly extraFiles: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/**
 * What is guarded of the root: files that git tracks there, what links among them lead to, configuration in their
 * folders and in those around the root up to the top of the repository, programs. Without git, of files `extraFiles`.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list.
 */
export async function placesOfRoot({ root, extraFiles, env, signal }: PlacesRequest): Promise<GuardedPlaces> {
  const repository = findRepository(root)
  const index = indexStamp(repository)
  const context: GitContext = { folder: root, env, ...(signal !== undefined && { signal }) }
  const tracked = await listTracked(context)
  const { names: others, cap } = await listOthers(context, tracked !== undefined)
  const around = tracked === undefined ? [root] : foldersUpTo(root, repository?.top)
  const own = (tracked ?? []).map((path) => join(root, path))
  const folders = new Set([...around, ...own.map(dirname)])
  const packages = own.filter((file) => file.endsWith('package.json')).map(dirname)
  const settings = env.HOME === undefined ? [] : [join(env.HOME, '.npmrc')]
  return {
    root,
    files: new Set([...own, ...extraFiles, ...settings]),
    others: new Set(others),
    ...(cap !== undefined && { othersCap: cap }),
    mayAppear: new Set(),
    folders,
    isConfig: isConfigName,
    programs: programFolders({ root, packages: [...around, ...packages], path: env.PATH, home: env.HOME }),
    // People install at home what has nothing to do with the project, and so do products.
    isStrict: (folder) => isInside(folder, root) || isOfPackages(folder),
    path: env.PATH,
    tracked,
    repository,
    index,
  }
}

/**
 * The same for a copy of the root. New files in it are the agent's own, except for configuration of runners, and for
 * programs whose names blocks may use.
 */
export function placesOfCopy(
  copy: string,
  { original, env }: { readonly original: GuardedPlaces } & Pick<PlacesRequest, 'env'>,
): GuardedPlaces {
  const { root } = original
  const inCopy = (paths: Iterable<string>): readonly string[] =>
    [...paths].flatMap((path) => (isInside(path, root) ? [join(copy, path.slice(root.length))] : []))
  const files = inCopy(original.files)
  return {
    root: copy,
    files: new Set(files.filter((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined)),
    others: original.others,
    mayAppear: new Set(),
    folders: new Set(inCopy(original.folders)),
    isConfig: (name) => isConfigName(name) && !isEnvironmentName(name),
    programs: inCopy(original.programs),
    isStrict: () => false,
    path: env.PATH,
  }
}

/** Only these files. A missing one may appear. */
export function placesOfFiles(root: string, files: readonly string[]): GuardedPlaces {
  const none = {
    folders: new Set<string>(),
    isConfig: () => false,
    programs: [],
    isStrict: () => false,
    path: undefined,
  }
  return { root, files: new Set(files), others: new Set(), mayAppear: new Set(files), ...none }
}

/** Files that git no longer tracks, relative to the root; `.git` where the repository is gone. */
export async function untrackedSince(
  { root, tracked, repository, index }: GuardedPlaces,
  env: PlacesRequest['env'],
): Promise<readonly string[]> {
  if (tracked === undefined || indexStamp(repository) === index) return []
  const now = await listTracked({ folder: root, env }).catch(() => undefined)
  if (now === undefined) return ['.git']
  const known = new Set(now)
  return tracked.filter((path) => !known.has(path))
}

function foldersUpTo(root: string, top: string | undefined): readonly string[] {
  const folders = [root]
  for (let folder = root; top !== undefined && folder !== top && folder !== dirname(folder);) {
    folder = dirname(folder)
    folders.push(folder)
  }
  return top !== undefined && folders.includes(top) ? folders : [root]
}

const maxOthers = 50_000

interface Others {
  readonly names: readonly string[]
  readonly cap: number | undefined
}

/**
 * Files of a root that git does not track and does not ignore. Without git: all but those in `node_modules`, and logs.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list
 */
export async function listOthers(context: GitContext, isRepository: boolean): Promise<Others> {
  const all = isRepository
    ? ((await listGitFiles(['--others', '--exclude-standard'], context)) ?? [])
    : [...filesBelow(context.folder)]
  const names = all.filter((name) => !isLog(name))
  return { names: names.slice(0, maxOthers), cap: names.length > maxOthers ? maxOthers : undefined }
}

function* filesBelow(root: string): Generator<string> {
  const queue = [root]
  let count = 0
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'node_modules') queue.push(path)
      if (!entry.isFile()) continue
      yield relative(root, path).replaceAll(sep, '/')
      if ((count += 1) > maxOthers) return
    }
  }
}
