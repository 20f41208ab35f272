import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path/posix'
import { inParallel } from '../../system/concurrency.ts'
import { listGitFiles } from '../../host/guard/list-git-files.ts'
import type { GitContext } from '../../system/git/run-git.ts'

/** What a copy of a folder is made of. Paths are relative to it, with slashes. */
export interface CopiedPaths {
  /** Files and links to copy. */
  readonly files: readonly string[]
  /** `node_modules` folders that are not tracked, and the untracked parts of others. */
  readonly modules: readonly string[]
}

/** Lists what belongs into a copy of a folder; repositories inside it are listed by their own rules. */
export async function listCopied(context: GitContext): Promise<CopiedPaths> {
  const listed = await listGitFiles([...wanted, ...withoutModules], context)
  if (listed === undefined) return listAll(context.folder)
  const ignored = await listGitFiles(['--others', '--ignored', '--directory', ...withoutModules], context)
  const modules = (ignored ?? []).map(withoutSlash).filter((path) => path.split('/').includes('node_modules'))
  const paths = listed.filter(isCopied)
  const parts = await inParallel(paths, { signal: context.signal, run: (path) => expand(path, context) })
  return {
    files: parts.flatMap(({ files }) => files),
    modules: [...modules, ...parts.flatMap((part) => part.modules)],
  }
}

const wanted = ['--cached', '--others'] as const
const withoutModules = ['--exclude-standard', '--exclude=node_modules'] as const

function isCopied(path: string): boolean {
  const folders = withoutSlash(path).split('/').slice(0, -1)
  return !folders.some((name) => name.endsWith('.logs'))
}

/** Git lists a submodule and a repository that it does not track as one path. */
async function expand(path: string, context: GitContext): Promise<CopiedPaths> {
  const folder = join(context.folder, path)
  const stats = await lstat(folder).catch(() => undefined)
  if (stats?.isDirectory() !== true) return { files: [path], modules: [] }
  // Where a submodule is not checked out, git would answer for the repository around it.
  const isRepository = await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
  const inner = isRepository ? await listCopied({ ...context, folder }) : await listAll(folder)
  const within = (name: string): string => join(path, name)
  return { files: inner.files.map(within), modules: inner.modules.map(within) }
}

async function listAll(folder: string): Promise<CopiedPaths> {
  const files: string[] = []
  const modules: string[] = []
  const queue = ['']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const inner = join(path, entry.name)
      if (entry.name === 'node_modules') modules.push(inner)
      else if (!entry.isDirectory()) files.push(inner)
      else if (entry.name !== '.git' && !entry.name.endsWith('.logs')) queue.push(inner)
    }
  }
  return { files, modules }
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}
