import { lstat, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { copyRoot, listCopied } from '../../scenario/workspace/copy-root.ts'
import type { Spec } from '../../spec/spec.ts'
import { inParallel } from '../../system/concurrency.ts'

interface EmptiedRootInput {
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** A root without the product, and the spec in it. */
interface EmptiedRoot {
  readonly root: string
  readonly spec: Spec
}

interface SpecInRoot extends Pick<EmptiedRootInput, 'root' | 'env' | 'signal'> {
  readonly spec: Spec
  /** Makes an empty private directory. */
  makeTempDir(): Promise<string>
}

/** A copy of the root in which the programs of the project do nothing. */
export async function openEmptiedRoot({ spec, makeTempDir, ...input }: SpecInRoot): Promise<EmptiedRoot> {
  const target = join(await makeTempDir(), 'work')
  await makeEmptiedRoot({ ...input, target })
  return { root: target, spec: { ...spec, file: join(target, spec.file.slice(input.root.length)) } }
}

/**
 * Makes a copy of the suite root in which all files but markdown and configuration are empty: such a program does nothing
 * and ends well. What still holds there was never the product's doing.
 */
export async function makeEmptiedRoot(input: EmptiedRootInput): Promise<void> {
  const { target, env, signal } = input
  await copyRoot(input)
  const { files } = await listCopied({ folder: target, env, signal })
  await inParallel(
    files.filter((file) => !isKept(file)),
    { signal, run: (file) => empty(join(target, file)) },
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

/** A new file takes its place: the copy may share its blocks with the original, or be read-only. */
async function empty(path: string): Promise<void> {
  const stats = await lstat(path)
  // Links are left alone.
  if (!stats.isFile()) return
  await rm(path)
  await writeFile(path, '', { mode: stats.mode })
}
