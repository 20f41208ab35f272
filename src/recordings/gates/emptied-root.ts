import type { Stats } from 'node:fs'
import { lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { copyRoot } from '../../scenario/workspace/copy-root.ts'
import { listCopied } from '../../scenario/workspace/list-copied.ts'
import type { Spec } from '../../spec/spec.ts'
import { inParallel } from '../../system/in-parallel.ts'

/** What programs do where there is no product: they print a line, or fail, before all else. */
type Doing = 'babbling' | 'failing'

/**
 * What is there without the product. `silent`: files are empty. With the others programs do something, and data stay as
 * they are; with `only` there are no data, nor anything else in a program.
 */
export type Programs = 'silent' | Doing | `only-${Doing}`

interface EmptiedRootInput {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly programs: Programs
}

/** A root without the product, and the spec in it. */
interface EmptiedRoot {
  readonly root: string
  readonly spec: Spec
}

/** Those that are made already. */
export type EmptiedRoots = Map<Programs, Promise<EmptiedRoot>>

interface SpecInRoot extends Pick<EmptiedRootInput, 'root' | 'env' | 'signal'> {
  readonly spec: Spec
  /** Makes an empty private directory. */
  makeTempDir(): Promise<string>
  readonly emptied: EmptiedRoots
}

/** Makes it where it is asked for first. */
export function openEmptiedRoot(input: SpecInRoot, programs: Programs): Promise<EmptiedRoot> {
  const root = input.emptied.get(programs) ?? makeRootOf(input, programs)
  input.emptied.set(programs, root)
  return root
}

async function makeRootOf({ spec, makeTempDir, ...input }: SpecInRoot, programs: Programs): Promise<EmptiedRoot> {
  const target = join(await makeTempDir(), 'work')
  await makeEmptiedRoot({ ...input, target, programs })
  return { root: target, spec: { ...spec, file: join(target, spec.file.slice(input.root.length)) } }
}

/**
 * Makes a copy of the suite root without the product: all files but markdown and configuration are empty, or programs do
 * something else. What still holds there was never the product's doing.
 */
export async function makeEmptiedRoot(input: EmptiedRootInput): Promise<void> {
  const { target, env, signal, programs } = input
  await copyRoot(input)
  const { files } = await listCopied({ folder: target, env, signal })
  await inParallel(
    files.filter((file) => !isKept(file)),
    {
      signal,
      run: (file) => replace(join(target, file), programs),
    },
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

const isData = /\.(?:json|txt|csv|tsv|log)$/i

/** A line that no spec asks for. */
const line = 'nothing of the product'

/** An exit code that no spec asks for. */
const code = 70

/** Statements by what runs a file. */
interface Statements {
  /** Prints the line. */
  readonly print: string
  /** Says as much, and prints nothing. */
  readonly quiet: string
  readonly exit: (exitCode: number) => string
}

const statements: readonly (readonly [RegExp, Statements])[] = [
  [
    /node|deno|bun|\.[cm]?[jt]sx?$/,
    { print: `console.log('${line}');`, quiet: 'console.groupEnd();', exit: (n) => `process.exit(${n});` },
  ],
  [/python|\.py$/, { print: `print('${line}');`, quiet: "print('', end='');", exit: (n) => `raise SystemExit(${n});` }],
  [/ruby|\.rb$/, { print: `puts '${line}';`, quiet: "print '';", exit: (n) => `exit ${n};` }],
  [/perl|\.p[lm]$/, { print: `print "${line}\\n";`, quiet: 'print "";', exit: (n) => `exit ${n};` }],
  [
    /php|\.php$/,
    { print: `<?php echo "${line}\\n"; ?>`, quiet: '<?php echo ""; ?>', exit: (n) => `<?php exit(${n}); ?>` },
  ],
  [/sh\b|\.(?:ba|z|k)?sh$/, { print: `echo '${line}';`, quiet: "printf '';", exit: (n) => `exit ${n};` }],
]

/** What a program does first. With `only`: to whoever only reads it, one that fails looks like one that babbles. */
function firstOf({ print, quiet, exit }: Statements, programs: Exclude<Programs, 'silent'>): string {
  if (programs === 'failing') return exit(code)
  return programs === 'only-failing' ? `${quiet}${exit(code)}` : `${print}${exit(0)}`
}

/** In Python such a line stands by itself. */
const opensBlock = /^(?:@|async |class |def |for |if |match |try:|while |with )/

/** A new file takes the place of each: the copy may share its blocks with the original, or be read-only. */
async function replace(path: string, programs: Programs): Promise<void> {
  const stats = await lstat(path)
  // Links are left alone.
  if (!stats.isFile()) return
  const text = await emptiedText(path, programs, stats)
  if (text === undefined) return
  await rm(path)
  await writeFile(path, text, { encoding: 'latin1', mode: stats.mode })
}

/** What a file holds without the product; `undefined` where it stays as it is. */
async function emptiedText(path: string, programs: Programs, { mode }: Stats): Promise<string | undefined> {
  if (programs === 'silent') return ''
  const isOnly = programs.startsWith('only-')
  if (isData.test(path)) return isOnly ? '' : undefined
  const text = await readFile(path, 'latin1')
  const [shebang = ''] = /^#!.*\n/.exec(text) ?? []
  const own = statements.find(([runner]) => runner.test(extname(path) || shebang))?.[1]
  // Without a line that says what runs it, it is a shell; of other files nobody knows whether they are data or programs.
  if (own === undefined) return programs.endsWith('failing') && (mode & 0o111) !== 0 ? `exit ${code}\n` : ''
  const first = `${shebang}${firstOf(own, programs)}`
  const rest = text.slice(shebang.length)
  // On the first line: the others keep their numbers.
  return isOnly ? `${first}\n` : `${first}${opensBlock.test(rest) ? '\n' : ' '}${rest}`
}
