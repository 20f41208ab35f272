import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { createGit, type Git } from './git.ts'
import { pathBytes, type FoundFile } from './entry.ts'
import type { KeptRules } from './kept-rules.ts'

/** What is in a folder. */
export interface Listing {
  readonly files: readonly FoundFile[]
  /** Relative paths of folders without anything, bytes as characters. */
  readonly emptyFolders: readonly string[]
}

export interface ListContext {
  /** Absolute path. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly rules: KeptRules
}

/** Ours: what is written there is no work of anybody's. */
const ownFolder = '.mdtest'
const rulesFile = '.gitignore'
const foreignFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', ownFolder])

/** Tracked files and those that are not, without what git ignores; of repositories inside this one, too. */
export async function listGitFiles(git: Git, { root, env, rules }: ListContext): Promise<Listing> {
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
  return { files: [...files, ...findHiddenRules(root, files)], emptyFolders: [...emptyFolders] }
}

/** A `.gitignore` can hide itself, and then what else there is. */
function findHiddenRules(root: string, files: readonly FoundFile[]): readonly FoundFile[] {
  const listed = new Set(files.map(({ path }) => path))
  const folders = new Set(['.', ...files.flatMap(({ path }) => foldersOf(path))])
  const rules = [...folders].map((folder) => (folder === '.' ? rulesFile : `${folder}/${rulesFile}`))
  return findFiles(
    root,
    rules.filter((path) => !listed.has(path)),
  )
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** A submodule, or a repository that nobody added: its files are kept like others, its history is not ours. */
async function listInner(path: string, { root, env, rules }: ListContext): Promise<Listing> {
  const folder = pathBytes(root, path).toString()
  const { files, emptyFolders } = await listGitFiles(createGit(folder, env), { root: folder, env, rules })
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

function walk(root: string, folder: string): { readonly files: FoundFile[]; readonly emptyFolders: string[] } {
  const names = readdirSync(pathBytes(root, folder), { encoding: 'latin1' })
  if (names.length === 0) return { files: [], emptyFolders: [folder] }
  const files: FoundFile[] = []
  const emptyFolders: string[] = []
  for (const name of names.filter((each) => !foreignFolders.has(each))) {
    const path = folder === '' ? name : `${folder}/${name}`
    const stats = lstat(root, path)
    if (stats === undefined) continue
    const file = toFile(path, stats)
    if (file !== undefined) files.push(file)
    if (!stats.isDirectory()) continue
    const inner = walk(root, path)
    files.push(...inner.files)
    emptyFolders.push(...inner.emptyFolders)
  }
  return { files, emptyFolders }
}

/** These paths, as far as they are there: also what became ignored since. */
export function findFiles(root: string, paths: readonly string[]): readonly FoundFile[] {
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
