import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { createGit, type Git } from './git.ts'
import { pathBytes, type FoundFile, type Listing } from '../checkpoints/file-store.ts'
import type { KeptRules } from '../checkpoints/kept-rules.ts'

export interface ListContext {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly rules: KeptRules
  /** Paths that were there before; undefined at the first time. */
  readonly known: ReadonlySet<string> | undefined
  /** Folders that git ignored at first. Their contents are not kept. */
  readonly ignored: ReadonlySet<string>
}

/** Ours: what is written there is no work of anybody's. */
const ownFolder = '.mdtest'
const rulesFile = '.gitignore'
const foreignFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', ownFolder])

/** Tracked files and those that are not, without what git ignores; of repositories inside this one, too. */
export async function listGitFiles(git: Git, context: ListContext): Promise<Listing> {
  const { root, env, rules } = context
  const ignored = ['--exclude-per-directory=.gitignore', `--exclude-from=${await rules.file()}`]
  const listed = await lines(git, ['ls-files', '-z', '--cached', '--others', ...ignored])
  const files: FoundFile[] = []
  const emptyFolders = new Set<string>()
  for (const listedPath of new Set(listed)) {
    const path = listedPath.replace(/\/$/, '')
    if (path.split('/')[0] === ownFolder) continue
    const stats = lstat(root, path)
    const file = stats && toFile(path, stats)
    if (file !== undefined) files.push(file)
    if (stats?.isDirectory() === true && existsSync(pathBytes(root, `${path}/.git`))) {
      const inner = await listInner(path, { root, env, rules })
      files.push(...inner.files)
      for (const folder of inner.emptyFolders) emptyFolders.add(folder)
    }
  }
  const untracked = await lines(git, ['ls-files', '-z', '--others', '--directory', ...ignored])
  for (const path of untracked.filter((each) => each.endsWith('/') && each.split('/')[0] !== ownFolder)) {
    for (const folder of walk(root, path.slice(0, -1)).emptyFolders) emptyFolders.add(folder)
  }
  const found = [...files, ...findHidden(root, { ...context, files })]
  return { files: withoutLinked(root, found), emptyFolders: [...emptyFolders] }
}

/** What a link leads to, in place of a folder, is not in the project. */
function withoutLinked(root: string, files: readonly FoundFile[]): readonly FoundFile[] {
  const known = new Map<string, boolean>()
  const isLinked = (folder: string): boolean => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const isHere = lstat(root, folder)?.isSymbolicLink() === true || foldersOf(folder).some(isLinked)
    known.set(folder, isHere)
    return isHere
  }
  return files.filter(({ path }) => !foldersOf(path).some(isLinked))
}

/** Folders of tools that hide themselves by their own rules. No runner or compiler takes code from there. */
const toolFolders: ReadonlySet<string> = new Set(
  `.venv venv .tox .nox .pytest_cache .ruff_cache .mypy_cache .hypothesis .ipynb_checkpoints .gradle .dart_tool .next
   .nuxt .turbo .nx .cache .parcel-cache .vite .angular .svelte-kit .yarn .pnpm-store`.split(/\s+/),
)

/**
 * A `.gitignore` can hide itself and other files. A new one hides nothing, and a file that was listed before stays
 * listed.
 */
function findHidden(
  root: string,
  { files, known, ignored }: Pick<ListContext, 'known' | 'ignored'> & { readonly files: readonly FoundFile[] },
): readonly FoundFile[] {
  const listed = new Set(files.map(({ path }) => path))
  const folders = new Set([
    '.',
    ...files.flatMap(({ path }) => foldersOf(path)),
    ...hiddenFolders(root, { known, ignored }),
  ])
  const rules = [...folders].map((folder) => (folder === '.' ? rulesFile : `${folder}/${rulesFile}`))
  const found = new Map(
    findFiles(
      root,
      [...rules, ...(known ?? [])].filter((path) => !listed.has(path)),
    ).map((file) => [file.path, file]),
  )
  for (const path of known === undefined ? [] : rules) {
    if (known?.has(path) === true || (!listed.has(path) && !found.has(path))) continue
    const folder = path === rulesFile ? '' : path.slice(0, -rulesFile.length - 1)
    for (const file of walk(root, folder, toolFolders).files) if (!listed.has(file.path)) found.set(file.path, file)
  }
  return [...found.values()]
}

/** Folders with rules that were not there before: all that they hold may be hidden. */
function hiddenFolders(root: string, { known, ignored }: Pick<ListContext, 'known' | 'ignored'>): readonly string[] {
  if (known === undefined) return []
  const before = new Set(['', ...[...known].flatMap(foldersOf)])
  const inNew = (folder: string): readonly string[] => {
    if (before.has(folder) || ignored.has(folder)) return []
    if (lstat(root, `${folder}/${rulesFile}`)?.isFile() === true) return [folder]
    return foldersIn(root, folder).flatMap(inNew)
  }
  return [...before].flatMap((folder) => foldersIn(root, folder).flatMap(inNew))
}

function foldersIn(root: string, folder: string): readonly string[] {
  return namesIn(root, folder)
    .filter((name) => !foreignFolders.has(name) && !toolFolders.has(name))
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => lstat(root, path)?.isDirectory() === true)
}

/** Folders that git ignores as a whole. */
export async function listIgnoredFolders(git: Git, rules: KeptRules): Promise<ReadonlySet<string>> {
  const ignored = ['--exclude-per-directory=.gitignore', `--exclude-from=${await rules.file()}`]
  const listed = await lines(git, ['ls-files', '-z', '--others', '--ignored', '--directory', ...ignored])
  return new Set(listed.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)))
}

function namesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(pathBytes(root, folder), { encoding: 'latin1' })
  } catch {
    return [] // It is gone, or a file by now.
  }
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** A submodule, or a repository that was not added: its files are kept like others, its history is not. */
async function listInner(
  path: string,
  { root, env, rules }: Pick<ListContext, 'root' | 'env' | 'rules'>,
): Promise<Listing> {
  const folder = pathBytes(root, path).toString()
  const place = { gitDir: `${folder}/.git`, commonDir: `${folder}/.git`, workTree: folder }
  const context = { root: folder, env, rules, known: undefined, ignored: new Set<string>() }
  // What git cannot read is no reason to pass over what is in it.
  const { files, emptyFolders } = await listGitFiles(createGit(folder, env, place), context).catch(() =>
    listAllFiles(folder),
  )
  return {
    files: files.map((file) => ({ ...file, path: `${path}/${file.path}` })),
    emptyFolders: emptyFolders.map((each) => `${path}/${each}`),
  }
}

/** All files but those of packages, git and mdtest. */
export function listAllFiles(root: string): Listing {
  const found = walk(root, '')
  return { ...found, emptyFolders: found.emptyFolders.filter((folder) => folder !== '') }
}

function walk(
  root: string,
  folder: string,
  passedOver: ReadonlySet<string> = new Set(),
): { readonly files: FoundFile[]; readonly emptyFolders: string[] } {
  const names = readdirSync(pathBytes(root, folder), { encoding: 'latin1' })
  if (names.length === 0) return { files: [], emptyFolders: [folder] }
  const files: FoundFile[] = []
  const emptyFolders: string[] = []
  for (const name of names.filter((each) => !foreignFolders.has(each) && !passedOver.has(each))) {
    const path = folder === '' ? name : `${folder}/${name}`
    const stats = lstat(root, path)
    if (stats === undefined) continue
    const file = toFile(path, stats)
    if (file !== undefined) files.push(file)
    if (!stats.isDirectory()) continue
    const inner = walk(root, path, passedOver)
    files.push(...inner.files)
    emptyFolders.push(...inner.emptyFolders)
  }
  return { files, emptyFolders }
}

/** These paths, as far as they are there: also what became ignored since. */
function findFiles(root: string, paths: readonly string[]): readonly FoundFile[] {
  return paths.flatMap((path) => {
    const stats = lstat(root, path)
    return (stats && toFile(path, stats)) ?? []
  })
}

function toFile(path: string, stats: Stats): FoundFile | undefined {
  if (stats.isSymbolicLink()) return { path, mode: '120000' }
  if (!stats.isFile()) return undefined
  return { path, mode: (stats.mode & 0o111) === 0 ? '100644' : '100755' }
}

/** A path may lead through what is a file by now. */
function lstat(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(pathBytes(root, path))
  } catch {
    return undefined // It is not there.
  }
}

async function lines(git: Git, args: readonly string[]): Promise<readonly string[]> {
  const output = await git(args)
  return output.toString('latin1').split('\0').filter(Boolean)
}

/** Whether a file decides what else is listed. */
export function decidesWhatIsListed({ path }: { readonly path: string }): boolean {
  return basename(path) === rulesFile
}
