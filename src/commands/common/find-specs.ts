import { readdirSync, readFileSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { placesFrom } from '../../plan/dialect-of.ts'
import { mayHavePages, type ResolvedOptions } from '../../plan/options/option-defaults.ts'
import { createIsSpec, describeLeftOut, isIndexPage } from '../../plan/spec-files.ts'
import { changesPlace, dialectPlaces, knownPlaces } from '../../spec/dialects/dialect-places.ts'
import { isRecordingFile } from '../../spec/recording/recording.ts'
import { hideFences } from '../../spec/markdown/hidden-text.ts'
import { entriesOf } from '../../system/files/list-files.ts'
import { isInside, pathIn, statsOf } from '../../system/files/paths.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { defaultInclude, hasSpecEnding, isLoginFile, plainInclude, splitLine } from '../../system/spec-endings.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import { type CliContext, SetUpError } from './cli.ts'
import type { agentFlag } from './flags.ts'

/** Gets pages such as `README.md`, which only describe other specs. Without this function, such pages are specs. */
export type OnLeftOut = (files: readonly string[]) => void

export interface FoundSpec {
  readonly file: string
  readonly lines?: readonly number[]
}

const skippedFolders = new Set(['.git', 'node_modules'])

function isSkippedFolder(name: string, skipped: ReadonlySet<string> = skippedFolders): boolean {
  return skipped.has(name) || name.endsWith('.logs')
}

/** Does not follow links to folders. A link to a missing file is included, so that the run reports the broken link. */
export async function discoverSpecs(
  dir: string,
  include: readonly string[] = defaultInclude,
  { root = dir, onLeftOut }: { readonly root?: string; readonly onLeftOut?: OnLeftOut | undefined } = {},
): Promise<readonly FoundSpec[]> {
  const isSpec = createIsSpec({ root, include })
  const skipped = include === plainInclude ? new Set([...skippedFolders, 'reports']) : skippedFolders
  const files = walk(dir, '', skipped).map((path) => join(dir, path))
  const specs = files.toSorted().filter((file) => isSpec(file) && !isLoginFile(basename(file)))
  const pages = onLeftOut === undefined ? [] : specs.filter((file) => isIndexPage(file, include))
  onLeftOut?.(pages)
  return specs.filter((file) => !pages.includes(file)).map((file) => ({ file }))
}

function walk(dir: string, path: string, skipped: ReadonlySet<string>): readonly string[] {
  return readdirSync(join(dir, path), { withFileTypes: true }).flatMap((entry) => {
    const entryPath = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return isSkippedFolder(entry.name, skipped) ? [] : walk(dir, entryPath, skipped)
    if (!hasSpecEnding(entry.name)) return []
    const stats = entry.isSymbolicLink() ? statsOf(join(dir, entryPath)) : entry
    return stats === undefined || stats.isFile() ? [entryPath] : []
  })
}

interface NameContext {
  readonly dir: string
  readonly cwd: string
  readonly include?: readonly string[]
  readonly onLeftOut?: OnLeftOut | undefined
}

/** Finds the specs of paths, `path:line` and folders, each spec once. @throws {SetUpError} if a path is no spec */
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
  const stats = statsOf(file)
  const isFolder = stats?.isDirectory() === true
  if (!isFolder && !createIsSpec({ root: dir, include })(file)) throw noSpec(name, { dir, file, include })
  if (!isFolder && !stats?.isFile()) throw new SetUpError(`\`${path}\` is not a regular file.`)
  if (!isInside(file, dir))
    throw new SetUpError(
      `\`${path}\` is outside the directory ${dir}, and only specs inside it are run. To run the specs there, use \`--dir ${isFolder ? name : dirname(name)}\`.`,
    )
  if (!isFolder) return [{ file, ...(line !== undefined && { lines: [line] }) }]
  const found = await discoverSpecs(await realpath(file), include, { root: dir, onLeftOut })
  if (found.length > 0) return found
  throw new SetUpError(
    `\`${path}\` is a folder, and no file in it matches ${formatPatterns(include)}. Name a spec, or a folder that has one.`,
  )
}

async function realParent(file: string): Promise<string | undefined> {
  if (!(await lstat(file).catch(() => undefined))) return undefined
  return join(await realpath(dirname(file)), basename(file))
}

type Place = Required<Pick<NameContext, 'dir' | 'include'>>

async function noFile(name: string, { dir, cwd, include }: Place & { readonly cwd: string }): Promise<SetUpError> {
  const specs = await discoverSpecs(dir, include)
  const names = specs.map(({ file }) => relative(cwd, file))
  const hint = didYouMean(name, names)
  return new SetUpError(`There is no file \`${name}\` in ${cwd}.${hint} \`${ownCommand} list\` names all specs.`)
}

/** Suggests `--include` only for a file in the suite root, because patterns cannot match other files. */
function noSpec(name: string, { dir, file, include }: Place & { readonly file: string }): SetUpError {
  if (isRecordingFile(file)) return new SetUpError(`\`${name}\` is a recording. Name its spec instead.`)
  const pattern = pathIn(dir, file)
  const isMeant = isInside(file, dir) && createIsSpec({ root: dir, include: [pattern] })(file)
  const hint = isMeant ? ` To take it as one, pass \`--include ${quoteWord(pattern)}\`.` : ''
  return new SetUpError(`\`${name}\` is no spec: its path does not match ${formatPatterns(include)}.${hint}`)
}

export function formatPatterns(include: readonly string[]): string {
  const own = include.filter((pattern) => !knownPlaces.includes(pattern))
  return (own.length > 0 ? own : include).map((pattern) => `\`${pattern.replace(/^\*\*\//, '')}\``).join(' or ')
}

/** Absolute paths of specs. @throws {SetUpError} for a path that is no spec, or has a line */
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

export type AskedAgent = ReturnType<(typeof agentFlag)['read']>

interface Asked {
  readonly paths: readonly string[]
  readonly include?: readonly string[] | undefined
  readonly agent?: AskedAgent | undefined
  readonly change?: string | undefined
}

interface AskContext extends Pick<CliContext, 'cwd' | 'stderr'> {
  readonly options: ResolvedOptions
  readonly root: string
}

/** Thrown if no spec was found. With `--pass-with-no-tests`, the command still succeeds. */
export class NoSpecs extends SetUpError {}

/**
 * Finds the specs to use, for every command. With a browser agent, any markdown is a spec, except pages about specs.
 * @throws {NoSpecs} if there is no spec; {SetUpError} if a path is no spec or the change is unknown
 */
export async function askedSpecs(asked: Asked, context: AskContext): Promise<readonly FoundSpec[]> {
  const { paths, agent, change } = asked
  const { options, root, cwd, stderr } = context
  if (change !== undefined) return await specsOfChange(change, asked, root)
  const isAny = mayHavePages(agent) && options.include.join() === defaultInclude.join()
  const usual = isAny ? plainInclude : [...options.include, ...(paths.length > 0 ? placesFrom(root) : [])]
  const include = asked.include ?? usual
  const tell = (files: readonly string[]): void => {
    if (files.length > 0) stderr.write(`${describeLeftOut(files.map((file) => relative(root, file)))}\n`)
  }
  const onLeftOut = mayHavePages(agent ?? options.agent) ? tell : undefined
  const found =
    paths.length > 0
      ? await namedSpecs(paths, { dir: root, cwd, include, onLeftOut })
      : await discoverSpecs(root, include, { onLeftOut })
  if (found.length === 0) throw new NoSpecs(`There is no spec (${formatPatterns(include)}) under ${root}.`)
  return found
}

export function commandFor(words: readonly string[], agent: AskedAgent | undefined): string {
  const name = typeof agent === 'object' ? quoteWord(JSON.stringify(agent)) : agent
  return [ownCommand, ...words, ...(name === undefined ? [] : ['--agent', name])].join(' ')
}

/** Searches each folder `openspec/changes` in the suite root. `change` is the name of a change, not a path. */
async function specsOfChange(change: string, { paths, include }: Asked, root: string): Promise<readonly FoundSpec[]> {
  const other = paths.length > 0 ? 'paths' : include === undefined ? undefined : '`--include`'
  if (other !== undefined)
    throw new SetUpError(
      `\`--change\` selects all specs of a change, but ${other} would select others. Leave one of them out; \`-t\` selects scenarios by name.`,
    )
  const folders = foldersOfChanges(root)
  const ofChange = folders.filter((folder) => basename(folder) === change)
  if (ofChange.length === 0) throw unknownChange(change, folders, root)
  const found = await Promise.all(ofChange.map((folder) => discoverSpecs(folder, dialectPlaces.openspec, { root })))
  const specs = found.flat()
  const isSpec = (path: string): boolean => specs.some(({ file }) => file === path)
  const lost = ofChange.flatMap((folder) =>
    walk(folder, '', skippedFolders)
      .filter((path) => !isSpec(join(folder, path)) && asksOfProduct(folder, path))
      .map((path) => join(folder, path)),
  )
  if (lost.length > 0) {
    const names = lost.map((file) => `\`${plainText(relative(root, file))}\``).join(', ')
    throw new SetUpError(
      `The change \`${change}\` asks for more in ${names}, which OpenSpec does not read there. Its specs are \`openspec/changes/${change}/specs/NAME/spec.md\`.`,
    )
  }
  if (specs.length > 0) return specs
  throw new NoSpecs(
    `The change \`${change}\` has no spec: \`openspec/changes/${change}/specs/…/spec.md\` says what it adds and modifies.`,
  )
}

/** A proposal may name requirements. With a scenario it asks for more. */
function asksOfProduct(folder: string, path: string): boolean {
  const text = hideFences(readFileSync(join(folder, path), 'utf8'), 3)
  const named = /^(?:## (?:ADDED|MODIFIED|REMOVED|RENAMED) Requirements|### Requirement:)/im
  return /^#### Scenario:/im.test(text) || (/^specs\/|\bspec\.md$/.test(path) && named.test(text))
}

function unknownChange(change: string, folders: readonly string[], root: string): SetUpError {
  const names = [...new Set(folders.map((folder) => basename(folder)))].toSorted()
  const known =
    names.length === 0
      ? `There is no change at all in \`openspec/changes\` under ${root}: a folder there is one. \`--dir\` names another suite root.`
      : `There are: ${names.map((name) => `\`${plainText(name)}\``).join(', ')}.`
  const archived = change === changesPlace.archive ? ' What is archived is done.' : ''
  return new SetUpError(`There is no change \`${plainText(change)}\`.${archived}${didYouMean(change, names)} ${known}`)
}

function foldersOfChanges(dir: string): readonly string[] {
  const below = foldersIn(dir).filter((name) => !isSkippedFolder(name))
  const found = below.flatMap((name) => {
    if (name !== changesPlace.home) return foldersOfChanges(join(dir, name))
    const changes = join(dir, name, changesPlace.folder)
    const own = foldersIn(changes).filter((change) => change !== changesPlace.archive && !change.startsWith('.'))
    return own.map((change) => join(changes, change))
  })
  return found.toSorted()
}

function foldersIn(dir: string): readonly string[] {
  return entriesOf(dir)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}
