import { isLog } from '../../records/folders/log-names.ts'
import { filesBelow } from '../../system/files/list-files.ts'
import { entryNamesOf } from './file-state.ts'
import { basename, delimiter, dirname, join, parse, resolve, sep } from 'node:path'
import { isInside, isTaken, pathIn, statsOf } from '../../system/files/paths.ts'
import { findRepository, indexStamp, type Repository, listTracked, listGitFiles } from './git-files.ts'
import type { GitContext } from '../../system/git/git.ts'

export interface GuardedPlaces {
  readonly root: string
  readonly files: ReadonlySet<string>
  /** Untracked files that git does not ignore. A change counts only if the agent was seen to make it. */
  readonly others: ReadonlySet<string>
  readonly othersCap?: number
  /** Files whose creation does not count as a change. Once they exist, later changes count. */
  readonly mayAppear: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  isConfig(name: string): boolean
  readonly programs: readonly string[]
  /** Whether each new program counts as a change. If `false`, it counts only if its name is already on `PATH`. */
  isStrict(folder: string): boolean
  readonly path: string | undefined
  /** Tracked files, relative to the root. Valid while git's index has the stamp `index`. */
  readonly tracked?: readonly string[] | undefined
  readonly repository?: Repository | undefined
  readonly index?: string | undefined
}

export interface GuardedFiles {
  readonly count: number
  readonly cap?: number
}

export interface PlacesRequest {
  readonly root: string
  readonly extraFiles: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** Lists what to guard in the root. Without git, tracked files are unknown. @throws {MdtestError} if git fails */
export async function placesOfRoot({ root, extraFiles, env, signal }: PlacesRequest): Promise<GuardedPlaces> {
  const repository = findRepository(root)
  const index = indexStamp(repository)
  const context: GitContext = { folder: root, env, ...(signal !== undefined && { signal }) }
  const tracked = await listTracked(context)
  const { names: others, cap } = await listOthers(context, tracked !== undefined)
  const around = tracked === undefined ? [root] : foldersUpTo(root, repository?.top)
  const own = (tracked ?? []).map((path) => join(root, path))
  const packages = own.filter((file) => file.endsWith('package.json')).map(dirname)
  const settings = env.HOME === undefined ? [] : [join(env.HOME, '.npmrc')]
  return {
    root,
    files: new Set([...own, ...extraFiles, ...settings]),
    others: new Set(others),
    ...(cap !== undefined && { othersCap: cap }),
    mayAppear: new Set(),
    folders: new Set([...around, ...own.map(dirname)]),
    isConfig: isConfigName,
    programs: programFolders({ root, packages: [...around, ...packages], path: env.PATH, home: env.HOME }),
    // Outside of the project, people and products install programs that have nothing to do with the test.
    isStrict: (folder) => isInside(folder, root) || isOfPackages(folder),
    path: env.PATH,
    tracked,
    repository,
    index,
  }
}

/** Places to guard in a copy of the root. New files there count only if they are configuration or programs. */
export function placesOfCopy(copy: string, original: GuardedPlaces): GuardedPlaces {
  const { root, path } = original
  const inCopy = (paths: Iterable<string>): readonly string[] =>
    [...paths].flatMap((path) => (isInside(path, root) ? [join(copy, path.slice(root.length))] : []))
  return {
    ...placesOfFiles(copy, inCopy(original.files).filter(isTaken)),
    others: original.others,
    mayAppear: new Set(),
    folders: new Set(inCopy(original.folders)),
    isConfig: (name) => isConfigName(name) && !environment.test(name),
    programs: inCopy(original.programs),
    path,
  }
}

export function placesOfFiles(root: string, files: readonly string[]): GuardedPlaces {
  return {
    root,
    files: new Set(files),
    others: new Set(),
    mayAppear: new Set(files),
    folders: new Set(),
    isConfig: () => false,
    programs: [],
    isStrict: () => false,
    path: undefined,
  }
}

/** Files, relative to the root, that git tracked before and does not track now; `.git` if the repository is gone. */
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

function foldersUpTo(root: string, top = root): readonly string[] {
  const folders = [root]
  if (!isInside(root, top)) return folders
  for (let folder = root; folder !== top; folder = dirname(folder)) folders.push(dirname(folder))
  return folders
}

const maxOthers = 50_000

/** Untracked files that git does not ignore. Without git: all files except logs and files in `node_modules`. */
export async function listOthers(
  context: GitContext,
  isRepository: boolean,
): Promise<{ readonly names: readonly string[]; readonly cap: number | undefined }> {
  const { folder } = context
  const all = isRepository
    ? ((await listGitFiles(['--others', '--exclude-standard'], context)) ?? [])
    : someFilesBelow(folder, maxOthers + 1).map((file) => pathIn(folder, file))
  const names = all.filter((name) => !isLog(name))
  return { names: names.slice(0, maxOthers), cap: names.length > maxOthers ? maxOthers : undefined }
}

export function someFilesBelow(top: string, most: number): readonly string[] {
  const files: string[] = []
  for (const file of filesBelow(top)) {
    if (files.length === most) break
    files.push(file)
  }
  return files
}

const binFolder = join('node_modules', '.bin')

interface ProgramPlaces {
  readonly root: string
  readonly packages?: readonly string[]
  readonly path: string | undefined
  readonly home?: string | undefined
}

/** Program folders that agents can write to: `node_modules/.bin` of packages, and `PATH` folders in root or home. */
export function programFolders({ root, packages = [root], path = '', home }: ProgramPlaces): readonly string[] {
  const guarded = foldersOn(path)
    .map((entry) => resolve(root, entry))
    .filter((folder) => isOfPackages(folder) || isBelow(folder, root) || isBelow(folder, home))
  return [...new Set([...packages.map((folder) => join(folder, binFolder)), ...guarded])]
}

function foldersOn(path: string): readonly string[] {
  return path.split(delimiter).filter((entry) => entry !== '')
}

function isOfPackages(folder: string): boolean {
  return folder.endsWith(`${sep}${binFolder}`)
}

function isBelow(folder: string, place: string | undefined): boolean {
  return place !== undefined && place !== parse(place).root && folder !== place && isInside(folder, place)
}

/** Skips hidden files: version managers create some, such as `.pyenv-shim`, while they update programs. */
export function programsIn(folder: string, nowMs: number): readonly string[] {
  return entryNamesOf(folder, nowMs).flatMap((name) => (name.startsWith('.') ? [] : [join(folder, name)]))
}

export function takesName(file: string, path = ''): boolean {
  const places = foldersOn(path).map((folder) => join(folder, basename(file)))
  return places.some((place) => place !== file && statsOf(place) !== undefined)
}

/** Files that test runners, compilers and package managers load by name, in any folder. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vite|vitest|jest|playwright|babel|postcss|mdtest)\.(?:config|workspace|projects|setup|preset)(?:\.[\w-]+)*`,
    String.raw`setup(?:Tests|-tests|-vitest|-jest)\.\w+`,
    String.raw`package\.json|[jt]sconfig(?:\.[\w-]+)*\.json|deno\.jsonc?|bunfig\.toml|lerna\.json|nx\.json`,
    String.raw`\.(?:babelrc|swcrc|postcssrc|mocharc|browserslistrc|jestrc)(?:\.\w+)?`,
    String.raw`\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|\.node-version|\.nvmrc|\.tool-versions`,
    String.raw`conftest\.py|(?:site|user)customize\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml`,
    String.raw`GNUmakefile|makefile`,
  ].join('|')})$`,
)

/** Vite reads `.env`, `.env.local`, `.env.<mode>` and `.env.<mode>.local`. `.env.example` is only for people. */
const environment = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w-]+){0,2}$/

export function isConfigName(name: string): boolean {
  return configuration.test(name) || environment.test(name)
}
