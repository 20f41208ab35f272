import { lstat, readFile, truncate, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { copyRoot } from '../../scenario/workspace/copy-root.ts'
import { listCopied } from '../../scenario/workspace/list-copied.ts'
import type { Spec } from '../../spec/spec.ts'
import { inParallel } from '../../system/in-parallel.ts'

interface EmptiedRootInput {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /**
   * What programs do instead: nothing, or they print a line that means nothing, and keep their text; data stays as it is.
   * Default: `silent`.
   */
  readonly programs?: 'silent' | 'babbling'
}

interface SpecInRoot extends Pick<EmptiedRootInput, 'root' | 'env' | 'signal'> {
  readonly spec: Spec
  /** Makes an empty private directory. */
  makeTempDir(): Promise<string>
}

/** A root without the product, and the spec in it. */
export async function openEmptiedRoot(
  { spec, makeTempDir, ...input }: SpecInRoot,
  programs: NonNullable<EmptiedRootInput['programs']>,
): Promise<{ readonly root: string; readonly spec: Spec }> {
  const target = join(await makeTempDir(), 'work')
  await makeEmptiedRoot({ ...input, target, programs })
  return { root: target, spec: { ...spec, file: join(target, spec.file.slice(input.root.length)) } }
}

/**
 * Makes a copy of the suite root without the product: all files but markdown and configuration are empty, or programs do
 * something else. What still holds there was never the product's doing.
 */
export async function makeEmptiedRoot(input: EmptiedRootInput): Promise<void> {
  const { target, env, signal, programs = 'silent' } = input
  await copyRoot(input)
  const { files } = await listCopied({ folder: target, env, signal })
  await inParallel(
    files.filter((file) => !isKept(file)),
    { signal, run: (file) => (programs === 'silent' ? empty(join(target, file)) : babble(join(target, file))) },
  )
}

/** Without these no product could even be started: an error of its tools would look like one of its own. */
function isKept(file: string): boolean {
  const name = basename(file)
  return (
    /\.(?:md|lock|toml|ya?ml|ini|cfg)$/i.test(name) ||
    /^(?:package(?:-lock)?|[jt]sconfig[\w.-]*)\.json$|^[\w.-]+\.config\.\w+$|^\.|^Makefile$|^go\.(?:mod|sum)$/.test(
      name,
    )
  )
}

/** A file may share its blocks with the original: a new one takes its place, and links are left alone. */
async function empty(path: string): Promise<void> {
  const stats = await lstat(path)
  if (stats.isFile()) await truncate(path).catch(() => writeFile(path, ''))
}

const isData = /\.(?:json|txt|csv|tsv|log)$/i

/** A line that no spec asks for. */
const line = 'nothing of the product'

/** First statements by what runs the file: they print a line, and end the program well. */
const babbles: readonly (readonly [RegExp, string])[] = [
  [/node|deno|bun|\.[cm]?[jt]sx?$/, `console.log('${line}'); process.exit(0);`],
  [/python|\.py$/, `print('${line}'); raise SystemExit(0);`],
  [/ruby|\.rb$/, `puts '${line}'; exit 0;`],
  [/perl|\.p[lm]$/, `print "${line}\\n"; exit 0;`],
  [/php|\.php$/, `<?php echo "${line}\\n"; exit(0); ?>`],
  [/sh\b|\.(?:ba|z|k)?sh$/, `echo '${line}'; exit 0;`],
]

/** In Python such a line stands by itself. */
const opensBlock = /^(?:@|async |class |def |for |if |match |try:|while |with )/

async function babble(path: string): Promise<void> {
  const stats = await lstat(path)
  if (!stats.isFile() || isData.test(path)) return
  const text = await readFile(path, 'latin1')
  const [shebang = ''] = /^#!.*\n/.exec(text) ?? []
  const statement = babbles.find(([runner]) => runner.test(extname(path) || shebang))?.[1]
  // Of other files nobody knows whether they are data or programs.
  if (statement === undefined) return empty(path)
  // On the first line: the others keep their numbers.
  const rest = text.slice(shebang.length)
  const between = opensBlock.test(rest) ? '\n' : ' '
  await writeFile(path, `${shebang}${statement}${between}${rest}`, 'latin1')
}
