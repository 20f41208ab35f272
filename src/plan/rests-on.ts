import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { compileGlob } from '../system/files/match-glob.ts'
import { pathIn } from '../system/files/paths.ts'
import { stepsOf, type Spec } from '../spec/spec.ts'
import { madeOf, type ReadContext } from './spec-files.ts'

/** What the outcome of a spec rests on, as far as it is known before a run. */
export interface RestsOn {
  /** What it is made of, but for modules that its code imports: absolute paths. */
  readonly files: readonly string[]
  /** The globs `watch` of its front matter, relative to the suite root. */
  readonly watch: readonly string[]
  /** Why nobody knows what else it rests on, as a clause. Absent where it starts nothing, or `watch` says it. */
  readonly opaque?: string
}

export async function readRestsOn(file: string, context: ReadContext): Promise<RestsOn> {
  const { readSpec } = await import('./read-spec.ts')
  const [files, text] = [await madeOf([file], context), await readFile(file).catch(() => undefined)]
  if (text === undefined) return { files, watch: [], opaque: 'it cannot be read' }
  const { spec } = readSpec(text, { file, ...context })
  const { watch } = spec.frontMatter
  const opaque = watch.length === 0 ? whyOpaque(spec) : undefined
  return { files, watch, ...(opaque !== undefined && { opaque }) }
}

function whyOpaque({ scenarios }: Spec): string | undefined {
  const steps = scenarios.flatMap(stepsOf)
  const hooks = scenarios.flatMap(({ setup, teardown }) => [setup, teardown].filter((hook) => hook !== undefined))
  if (steps.some(({ actor }) => actor === 'agent')) return 'an agent carries it out'
  const blocks = [...steps, ...hooks].flatMap((each) => each.blocks)
  const has = (...kinds: readonly string[]): boolean => blocks.some(({ kind }) => kinds.includes(kind))
  if (has('console', 'script')) return 'its commands start programs'
  if (has('browser')) return 'it tests what a browser shows'
  // Names in the scope of a block; `$` starts programs.
  const isReading = blocks.some(({ kind, code }) => kind === 'module' && /\$`|\breadFile\b/.test(code))
  return isReading ? 'its code reads files or starts programs' : undefined
}

/** What decides which versions of packages are there: any spec may rest on it. */
const lockFiles: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
])

/** Whether one of these files (absolute paths) may change the outcome. */
export function restsOnAny({ files, watch, opaque }: RestsOn, changed: readonly string[], root: string): boolean {
  const matchers = watch.map(compileGlob)
  return (
    opaque !== undefined ||
    changed.some(
      (file) =>
        lockFiles.has(basename(file)) ||
        files.includes(file) ||
        matchers.some((matches) => matches(pathIn(root, file))),
    )
  )
}
