import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isOwnRecording, recordingFileOf, isRecordingFile } from '../spec/recording/recording.ts'
import { contextFilesOf } from './dialect-of.ts'
import { listCopied } from '../scenario/workspace/copy-root.ts'
import type { SpecsConfig } from './specs-config.ts'
import { pathIn } from '../system/files/paths.ts'
import { matchGlob } from '../system/files/match-glob.ts'
import { hasSpecEnding } from '../system/spec-endings.ts'

export interface ReadContext extends Pick<SpecsConfig, 'options' | 'commandLine'> {
  readonly root: string
}

export async function listSpecFiles({
  env,
  ...context
}: ReadContext & { readonly env: NodeJS.ProcessEnv }): Promise<readonly string[]> {
  const { root, options } = context
  const isSpec = createIsSpec({ root, include: options.include })
  const { files } = await listCopied({ folder: root, env })
  return madeOf(files.map((file) => join(root, file)).filter(isSpec), context)
}

/** Absolute paths of recordings without a spec beside them. */
export async function listOrphans(root: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { files } = await listCopied({ folder: root, env })
  // Git also lists deleted files, so leave these out.
  const there = files
    .filter(hasSpecEnding)
    .map((file) => join(root, file))
    .filter((file) => existsSync(file))
  const owned = new Set(there.map(recordingFileOf))
  const left = there.filter((file) => isRecordingFile(file) && !owned.has(file))
  const texts = await Promise.all(left.map((file) => readFile(file, 'utf8').catch(() => '')))
  return left.filter((_file, index) => isOwnRecording(texts[index] ?? ''))
}

/** Matches keys and labels that name further files, such as `include`. */
const includes = /^\s*["']?(?:include|prepend|append)\b|\bseed\b/im

/** Absolute paths of specs and all files read for them. A recording or context file need not exist. */
export async function madeOf(specs: readonly string[], context: ReadContext): Promise<readonly string[]> {
  const files = new Set(specs)
  for (const file of specs) {
    for (const each of filesBeside(file, context.root)) files.add(each)
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!includes.test(text)) continue
    // Imported late, because most specs include no other file.
    const { readSpec } = await import('./read-spec.ts')
    for (const each of readSpec(text, { file, ...context }).included.keys()) files.add(each)
  }
  return [...files]
}

/** The recording and the context files of a spec (absolute paths), existing or not. */
export function filesBeside(file: string, root: string): readonly string[] {
  return [recordingFileOf(file), ...contextFilesOf(file, root)]
}

/** Whether a file is a page such as `README.de.md` or `index.md`, and no pattern of `include` names this page. */
export function isIndexPage(file: string, include: readonly string[]): boolean {
  const name = basename(file)
  if (include.some((pattern) => basename(pattern) === name)) return false
  return /^(?:readme|index)(?:[.-][a-z]{2}(?:[-_][a-z]{2})?)?\.md$/i.test(name)
}

export function describeLeftOut(pages: readonly string[]): string {
  return `mdtest: Left out, because of their names: ${pages.join(', ')}. To run one, give its path or an \`include\` pattern that ends with its name.`
}

export type IsSpec = (id: string) => boolean

interface SpecFiles {
  readonly root: string
  readonly include: readonly string[]
  /** Absolute paths of further specs that `include` does not match. */
  readonly files?: readonly string[] | undefined
}

/** Returns a function that recognizes specs. Recordings, and files with a user's query (`?raw`), are no specs. */
export function createIsSpec({ root, include, files = [] }: SpecFiles): IsSpec {
  const known = new Set(files)
  return (id) => {
    const file = id.replace(/\?[tv]=[^&]*$/, '')
    // The cheap test comes first: most ids do not have the ending of a spec.
    if (!hasSpecEnding(file) || isRecordingFile(file)) return false
    const path = pathIn(root, file)
    return known.has(file) || include.some((glob) => matchGlob(path, glob))
  }
}

export function fileOf(id: string): string {
  return id.split('?', 1)[0] ?? id
}

export async function findProblem(
  specFile: string,
  { texts, root, ...config }: SpecsConfig & { readonly texts: ReadonlyMap<string, string>; readonly root: string },
): Promise<string | undefined> {
  // Loaded here because most runs rewrite nothing.
  const { planSpec } = await import('./plan-spec.ts')
  const source = texts.get(specFile) ?? (await readFile(specFile))
  const planned = planSpec(source, { file: specFile, root, texts, ...config })
  const [first] = planned.ok ? [] : planned.problems
  return first && `line ${first.line}: ${first.message}`
}
