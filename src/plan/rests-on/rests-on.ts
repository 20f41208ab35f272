import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { matchGlob } from '../../system/files/match-glob.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { isInside, pathIn, repositoryOf } from '../../system/files/paths.ts'
import { quoteForBash } from '../../system/text/shell-and-regex-quotes.ts'
import { blocksOf, stepsOf, type Spec } from '../../spec/spec.ts'
import { orNothing } from '../../system/error-facts.ts'
import { z } from 'zod'
import { filesBeside, type ReadContext } from '../spec-files.ts'
import type { CommandFiles } from './command-files.ts'
import { findDifference, type LastReads, type StateOf } from './last-reads.ts'

/** The files on which the outcome of a spec depends. */
export interface RestsOn {
  /** Absolute paths of the spec's own files, of files that its commands name, and of files read in the last run. */
  readonly files: readonly string[]
  /** The globs `watch` in the spec's front matter, relative to the suite root. */
  readonly watch: readonly string[]
  /** Why other files may matter, such as `it cannot be read`. Absent if no others do, or if the spec has `watch`. */
  readonly opaque?: string
}

interface RestsContext extends ReadContext {
  /** `undefined` if the spec has not run yet. */
  readonly last: LastReads | undefined
  readonly stateOf: StateOf
}

export async function readRestsOn(file: string, { last, stateOf, ...context }: RestsContext): Promise<RestsOn> {
  const { files, watch, named, hasCode, opaque } = await readSpecFiles(file, context)
  const seen = Object.keys(last?.files ?? {}).map((path) => join(context.root, path))
  const all = { files: [...new Set([...files, ...named.files.keys(), ...seen])], watch }
  const changed = last && findDifference(last, stateOf)
  const isNew = last === undefined && (named.programs.size > 0 || hasCode)
  const isSeen = (name: string): boolean =>
    last === undefined || (name === 'node' ? last.programs.length > 0 : last.programs.includes(name))
  const unseen = [...named.programs].find((name) => !isSeen(name))
  const reason =
    (opaque ?? named.opaque ?? last?.opaque) ||
    (isNew && 'it has not run here yet') ||
    (unseen !== undefined && `it starts \`${unseen}\`, which is no program of Node`) ||
    (changed !== undefined && `\`${changed}\` has changed since it ran last, or while it ran`)
  return { ...all, ...(watch.length === 0 && reason && { opaque: reason }) }
}

async function readSpecFiles(file: string, context: ReadContext) {
  const { root } = context
  // These modules load parsers, so import them only when a spec is read.
  const { readSpec } = await import('../read-spec.ts')
  const { CommandFiles } = await import('./command-files.ts')
  const files = [file, ...filesBeside(file, root)]
  const text = orNothing(() => readFileSync(file))
  if (text === undefined)
    return { files, watch: [], named: new CommandFiles(root, {}), hasCode: false, opaque: 'it cannot be read' }
  const { spec, included } = readSpec(text, { file, ...context })
  const { watch, env } = spec.frontMatter
  const named = new CommandFiles(root, { ...env, TESTROOT: root, TESTDIR: dirname(file), TMPDIR: elsewhere })
  if ('BASH_ENV' in env) named.opaque ??= 'its front matter sets `BASH_ENV`'
  nameFiles(spec, root, named)
  const opaque = whyOpaque(spec)
  const hasCode = spec.scenarios.flatMap(blocksOf).some(({ kind }) => kind === 'module')
  return { files: [...files, ...included.keys()], watch, named, hasCode, ...(opaque !== undefined && { opaque }) }
}

/** Stands for a temporary directory. The path is outside of the root, so that its files do not count. */
const elsewhere = '/dev/null/temp'

function nameFiles({ scenarios, frontMatter: { cwd } }: Spec, root: string, named: CommandFiles): void {
  const start = cwd === 'temp' ? elsewhere : resolve(root, cwd === 'root' || cwd === 'copy' ? '.' : cwd)
  for (const scenario of scenarios) {
    let directories: readonly string[] = [start]
    const { teardown, ...rest } = scenario
    for (const block of [...blocksOf(rest), ...(teardown?.blocks ?? [])]) {
      const { cwd: place, env } = block.attributes
      if ('NODE_OPTIONS' in env || 'BASH_ENV' in env) named.opaque ??= 'a block sets `NODE_OPTIONS` or `BASH_ENV`'
      const from = place === undefined ? directories : [resolve(start, place)]
      const lines = block.kind === 'console' ? block.commands.map(({ command }) => command) : [block.code]
      if (block.kind !== 'console' && block.kind !== 'script') continue
      directories = lines.reduce((at, line) => named.addLine(line, at), from)
    }
  }
}

function whyOpaque({ scenarios }: Spec): string | undefined {
  if (scenarios.flatMap(stepsOf).some(({ actor }) => actor === 'agent')) return 'an agent carries it out'
  const blocks = scenarios.flatMap(blocksOf)
  if (blocks.some(({ kind }) => kind === 'browser')) return 'it tests what a browser shows'
  const isReading = blocks.some(({ kind, code }) => kind === 'module' && readingCode.test(code))
  return isReading ? 'its code reads files or starts programs' : undefined
}

/** Matches code that reads files, starts programs with `$`, or imports a file by a computed name. */
export const readingCode = /\$[`(]|\breadFile\b|\bgetBuiltinModule\b|\bimport\.meta\.glob|\bimport\(\s*(?!['"\s])/

/** Files that decide which package versions are installed: any spec may depend on them. */
const ofPackages: readonly string[] =
  'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock'.split(' ')

/** The first changed file (absolute path) that all specs depend on; `undefined` if there is none. */
export function restedOnByAll(changed: readonly string[], configFiles: readonly string[]): string | undefined {
  return changed.find((file) => ofPackages.includes(basename(file)) || configFiles.includes(file))
}

export function restsOnAny({ files, watch }: RestsOn, changed: readonly string[], root: string): boolean {
  const known = new Set(files)
  return changed.some((file) => known.has(file) || watch.some((glob) => matchGlob(pathIn(root, file), glob)))
}

/** A line of the trace: a program began, read a path, started another program, or did something untraceable. */
const tracedSchema = z.union([
  z.object({ script: z.string() }),
  z.object({ path: z.string(), isList: z.boolean() }),
  z.object({ argv: z.array(z.string()), cwd: z.string(), isTraced: z.boolean() }),
  z.object({ unseen: z.string() }),
])

/** Paths of files that all specs depend on, relative to the root. */
export function sharedPaths(root: string, configFiles: readonly string[]): readonly string[] {
  const files = [...ofPackages.map((name) => join(root, name)), ...configFiles]
  const top = repositoryOf(root)
  return files.flatMap((file) => pathsOf(file, { root, top }))
}

/** Paths of a file and of its link target, relative to the root. Leaves out paths outside of the repository `top`. */
function pathsOf(file: string, { root, top }: { readonly root: string; readonly top: string }): readonly string[] {
  return [file, realPathOf(file)].flatMap((path) => (isInside(path, top) ? pathIn(root, path) : []))
}

interface Ran extends ReadContext {
  /** The trace that the spec's Node.js programs wrote, one JSON object per line. */
  readonly trace: string
  /** Whether the whole spec passed. After a failure it may not have read all its files. */
  readonly isPassed: boolean
  /** Absolute paths of modules that the spec's code loaded. */
  readonly modules: Iterable<string>
  /** Paths that all specs depend on, from `sharedPaths`. */
  readonly shared: readonly string[]
  readonly stateOf: StateOf
}

export async function lastReadsOf(
  file: string,
  { trace, isPassed, modules, shared, stateOf, ...context }: Ran,
): Promise<LastReads> {
  const { root } = context
  const top = repositoryOf(root)
  const { files, named } = await readSpecFiles(file, context)
  const looked: [path: string, isList: boolean][] = [...files, ...modules].map((each) => [each, false])
  const programs = new Set<string>()
  for (const line of trace.split('\n').filter(Boolean)) {
    const one = orNothing(() => tracedSchema.parse(JSON.parse(line))) ?? { unseen: 'a trace is broken' }
    if ('path' in one) looked.push([one.path, one.isList])
    else if ('script' in one) programs.add(basename(one.script))
    else if ('unseen' in one) named.opaque ??= one.unseen
    else if (one.isTraced) named.addLine(one.argv.map(quoteForBash).join(' '), [one.cwd])
    else named.opaque ??= `a program starts \`${basename(one.argv[0] ?? '')}\` with an environment of its own`
  }
  const paths = [...looked, ...named.files].flatMap(([each, isList]) =>
    pathsOf(each, { root, top }).map((path) => (isList ? `${path}/` : path)),
  )
  const opaque = isPassed ? named.opaque : 'not all of it passed when it ran last'
  return {
    files: Object.fromEntries([...new Set([...shared, ...paths])].toSorted().map((path) => [path, stateOf(path)])),
    programs: [...programs],
    ...(opaque !== undefined && { opaque }),
  }
}
