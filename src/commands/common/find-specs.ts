import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathIn, isInside } from '../../system/files/paths.ts'
import { ownCommand } from '../../system/own-package.ts'
import { defaultInclude, plainInclude } from '../../plan/options/defaults.ts'
import { isRecordingFile } from '../../spec/recording/recording.ts'
import { knownPlaces } from '../../spec/dialects/places.ts'
import { createIsSpec } from '../../plan/spec-files.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import { SetUpError } from './set-up-error.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { loginFile, hasSpecEnding, splitLine } from '../../system/spec-endings.ts'

/** Is told of pages that are left out: they are about the specs beside them, and no specs. Default: none is left out. */
export type OnLeftOut = (files: readonly string[]) => void

/** A spec to run, with the lines that select steps in it, as given. */
export interface FoundSpec {
  readonly file: string
  readonly lines?: readonly number[]
}

const skippedFolders = new Set(['.git', 'node_modules'])

export function isSkippedFolder(name: string, skipped: ReadonlySet<string> = skippedFolders): boolean {
  return skipped.has(name) || name.endsWith('.logs')
}

/**
 * All specs under a directory: recursive, without `.git/` and `node_modules/`, not through symlinked directories,
 * sorted by code unit on `/`-joined relative paths. A link to a missing file is among them, so that the run
 * tells of it. Logs and the login of browser specs are not.
 *
 * @param include globs relative to `root`
 * @param root absolute path of the suite root, where it is another directory
 */
export async function discoverSpecs(
  dir: string,
  include: readonly string[] = defaultInclude,
  { root = dir, onLeftOut }: { readonly root?: string; readonly onLeftOut?: OnLeftOut | undefined } = {},
): Promise<readonly FoundSpec[]> {
  const isSpec = createIsSpec({ root, include })
  const skipped = include === plainInclude ? new Set([...skippedFolders, 'reports']) : skippedFolders
  const paths = await walk(dir, '', skipped)
  const files = paths.toSorted(byCodeUnit).map((path) => join(dir, path))
  const specs = files.filter((file) => isSpec(file) && basename(file) !== loginFile)
  const pages = onLeftOut === undefined ? [] : await indexPagesIn(specs, include)
  onLeftOut?.(pages)
  return specs.filter((file) => !pages.includes(file)).map((file) => ({ file }))
}

async function indexPagesIn(files: readonly string[], include: readonly string[]): Promise<readonly string[]> {
  const { isIndexPage } = await import('../../plan/index-pages.ts')
  const areIndexes = await Promise.all(files.map((file) => isIndexPage(file, include)))
  return files.filter((_, index) => areIndexes[index])
}

async function walk(dir: string, path: string, skipped: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(join(dir, path), { withFileTypes: true })
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const entryPath = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return isSkippedFolder(entry.name, skipped) ? [] : walk(dir, entryPath, skipped)
    if (!hasSpecEnding(entry.name)) return []
    const stats = entry.isSymbolicLink() ? await statsOf(join(dir, entryPath)) : entry
    return stats === undefined || stats.isFile() ? [entryPath] : []
  })
  return (await Promise.all(found)).flat()
}

function statsOf(file: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  return stat(file).catch(() => undefined)
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

interface NameContext {
  readonly dir: string
  readonly cwd: string
  readonly include?: readonly string[]
  readonly onLeftOut?: OnLeftOut | undefined
}

/**
 * The specs that explicit paths name, `path` or `path:line`, relative to `cwd`, and all in folders that they name;
 * duplicates removed.
 * @throws {SetUpError} for a path that is missing, no regular file or folder, no spec by its name or outside `dir`.
 */
export async function namedSpecs(paths: readonly string[], context: NameContext): Promise<readonly FoundSpec[]> {
  const linesByFile = new Map<string, readonly number[] | 'all'>()
  for (const path of paths) {
    for (const { file, lines } of await resolvePath(path, context)) {
      const known = linesByFile.get(file) ?? []
      linesByFile.set(file, lines === undefined || known === 'all' ? 'all' : [...known, ...lines])
    }
  }
  return [...linesByFile].map(([file, lines]) => ({ file, ...(lines !== 'all' && { lines }) }))
}

async function resolvePath(path: string, context: NameContext): Promise<readonly FoundSpec[]> {
  const { dir, cwd, include = defaultInclude, onLeftOut } = context
  const { name, line } = splitLine(path) ?? { name: path, line: undefined }
  const candidates = await Promise.all([resolve(cwd, name), resolve(dir, name)].map(realParent))
  const existing = candidates.filter((file) => file !== undefined)
  const file = existing.find((candidate) => isInside(candidate, dir)) ?? existing[0]
  if (file === undefined) throw await noFile(name, { dir, cwd, include })
  const stats = await statsOf(file)
  const isFolder = stats?.isDirectory() === true
  if (!isFolder && !createIsSpec({ root: dir, include })(file)) throw noSpec(name, { dir, file, include })
  if (!isFolder && !stats?.isFile()) throw new SetUpError(`\`${path}\` is not a regular file.`)
  if (!isInside(file, dir))
    throw new SetUpError(
      `\`${path}\` is outside the directory ${dir}, and only specs inside it are run. To run the others, use \`--dir ${isFolder ? name : dirname(name)}\`.`,
    )
  if (!isFolder) return [{ file, ...(line !== undefined && { lines: [line] }) }]
  const found = await discoverSpecs(await realpath(file), include, { root: dir, onLeftOut })
  if (found.length > 0) return found
  throw new SetUpError(
    `\`${path}\` is a folder, and no file in it matches ${formatPatterns(include)}. Name a spec, or a folder that has one.`,
  )
}

/** The path with links in its folders resolved; `undefined` if there is no such file. */
async function realParent(file: string): Promise<string | undefined> {
  if (!(await lstat(file).catch(() => undefined))) return undefined
  return join(await realpath(dirname(file)), basename(file))
}

interface Place {
  readonly dir: string
  readonly include: readonly string[]
}

async function noFile(name: string, { dir, cwd, include }: Place & { readonly cwd: string }): Promise<SetUpError> {
  const specs = await discoverSpecs(dir, include)
  const names = specs.map(({ file }) => relative(cwd, file))
  const hint = didYouMean(name, names)
  return new SetUpError(`There is no file \`${name}\` in ${cwd}.${hint} \`${ownCommand} list\` names all specs.`)
}

/** The pattern of a file outside the suite root would match nothing. */
function noSpec(name: string, { dir, file, include }: Place & { readonly file: string }): SetUpError {
  if (isRecordingFile(file)) return new SetUpError(`\`${name}\` is a recording. Name the spec that it is of.`)
  const pattern = pathIn(dir, file)
  const isMeant = isInside(file, dir) && createIsSpec({ root: dir, include: [pattern] })(file)
  const hint = isMeant ? ` To take it as one, pass \`--include ${quoteWord(pattern)}\`.` : ''
  return new SetUpError(`\`${name}\` is no spec: its path does not match ${formatPatterns(include)}.${hint}`)
}

/** Globs for a message, without the places of other tools. */
export function formatPatterns(include: readonly string[]): string {
  const own = include.filter((pattern) => !knownPlaces.includes(pattern))
  return (own.length > 0 ? own : include).map((pattern) => `\`${pattern.replace(/^\*\*\//, '')}\``).join(' or ')
}

/**
 * Absolute paths of the specs that a command was given, all under the suite root where it was given none.
 * @param command the one that asks, for the message
 * @throws {SetUpError} for a path that is no spec, or one with a line: the command is about whole specs.
 */
export async function wholeSpecs(
  paths: readonly string[],
  { command, ...context }: Required<Omit<NameContext, 'onLeftOut'>> & { readonly command: string },
): Promise<readonly string[]> {
  refuseLines(paths, command)
  const { dir, include } = context
  const found = paths.length > 0 ? await namedSpecs(paths, context) : await discoverSpecs(dir, include)
  return found.map(({ file }) => file)
}

export function refuseLines(paths: readonly string[], command: string): void {
  const withLine = paths.find((path) => splitLine(path) !== undefined)
  if (withLine !== undefined) throw new SetUpError(`\`${withLine}\`: \`mdtest ${command}\` takes specs without a line.`)
}
