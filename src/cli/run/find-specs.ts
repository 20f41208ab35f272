import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SetUpError } from '../set-up-error.ts'

/** A spec to run, with the lines that select steps in it, as given. */
export interface FoundSpec {
  /** Absolute path. */
  readonly file: string
  readonly lines?: readonly number[]
}

const ending = '.test.md'
const skippedFolders = new Set(['.git', 'node_modules'])

/**
 * All specs under a directory: recursive, without `.git/` and `node_modules/`, not through symlinked directories,
 * sorted by code unit on `/`-joined relative paths. A link to a file that is not there is one of them: it cannot run, and
 * that has to show.
 */
export async function discoverSpecs(dir: string): Promise<readonly FoundSpec[]> {
  const paths = await walk(dir, '')
  return paths.toSorted(byCodeUnit).map((path) => ({ file: join(dir, path) }))
}

/**
 * The specs that explicit paths name, `path` or `path:line`, relative to `cwd`; duplicates removed.
 * @throws {SetUpError} for a path that is missing, no regular file, of another ending or outside `dir`.
 */
export async function namedSpecs(
  paths: readonly string[],
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): Promise<readonly FoundSpec[]> {
  const linesByFile = new Map<string, number[] | 'all'>()
  for (const path of paths) {
    const { file, line } = await resolveSpec(path, { dir, cwd })
    const lines = linesByFile.get(file)
    if (line === undefined || lines === 'all') linesByFile.set(file, 'all')
    else linesByFile.set(file, [...(lines ?? []), line])
  }
  return [...linesByFile].map(([file, lines]) => ({ file, ...(lines !== 'all' && { lines }) }))
}

async function walk(dir: string, path: string): Promise<readonly string[]> {
  const entries = await readdir(join(dir, path), { withFileTypes: true })
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const entryPath = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : walk(dir, entryPath)
    if (!entry.name.endsWith(ending)) return []
    if (entry.isFile()) return [entryPath]
    return entry.isSymbolicLink() && (await isFileOrGone(join(dir, entryPath))) ? [entryPath] : []
  })
  return (await Promise.all(found)).flat()
}

async function isRegularFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ?? false
}

async function isFileOrGone(link: string): Promise<boolean> {
  const stats = await stat(link).catch(() => undefined)
  return stats === undefined || stats.isFile()
}

interface NamedSpec {
  readonly file: string
  readonly line?: number
}

async function resolveSpec(
  path: string,
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): Promise<NamedSpec> {
  const [, name = path, line] = /^(.*\.test\.md):(\d+)$/s.exec(path) ?? []
  const candidates = await Promise.all([resolve(cwd, name), resolve(dir, name)].map(realParent))
  const existing = candidates.filter((file) => file !== undefined)
  const [outside] = existing
  if (outside === undefined) throw new SetUpError(`There is no file \`${name}\`.`)
  const file = existing.find((candidate) => isInside(dir, candidate))
  if (!name.endsWith(ending)) throw new SetUpError(`\`${path}\` is no spec: its name does not end in \`${ending}\`.`)
  if (!(await isRegularFile(file ?? outside))) throw new SetUpError(`\`${path}\` is not a regular file.`)
  if (file === undefined)
    throw new SetUpError(`\`${path}\` is outside the directory ${dir}; choose another with \`--dir\`.`)
  return { file, ...(line !== undefined && { line: Number(line) }) }
}

/** The path with links in its folders resolved; `undefined` if there is no such file. */
async function realParent(file: string): Promise<string | undefined> {
  if (!(await lstat(file).catch(() => undefined))) return undefined
  return join(await realpath(dirname(file)), basename(file))
}

function isInside(dir: string, file: string): boolean {
  const path = relative(dir, file)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
