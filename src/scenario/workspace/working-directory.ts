import { mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Spec } from '../../spec/spec.ts'

export interface WorkingDirectory {
  readonly path: string
  readonly specDir: string
  readonly root: string
  /** Fulfilled once all that belongs there is there. Rejects with what `copyRoot` throws. */
  readonly filled: Promise<void>
}

interface DirectoryOptions {
  readonly spec: Pick<Spec, 'file' | 'frontMatter'>
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  scratchDir(): Promise<string>
}

/**
 * Finds or makes what front matter `cwd` names; a copy is still being filled then.
 *
 * @throws MdtestError `SPEC_CWD` when it is no directory in the root.
 */
export async function openWorkingDirectory(options: DirectoryOptions): Promise<WorkingDirectory> {
  const { spec, root, scratchDir } = options
  const { cwd } = spec.frontMatter
  const specDir = dirname(spec.file)
  const filled = Promise.resolve()
  if (cwd === 'root') return { path: root, specDir, root, filled }
  if (cwd === 'copy') return copyOfRoot(options)
  if (cwd === 'temp') {
    const path = join(await scratchDir(), 'work')
    mkdirSync(path, { recursive: true })
    return { path, specDir, root, filled }
  }
  const path = resolve(root, cwd)
  const stats = await stat(path).catch(() => undefined)
  if (!isInside(path, root) || !stats?.isDirectory()) {
    throw new MdtestError('SPEC_CWD', `\`cwd: ${cwd}\` is not a directory inside ${root}.`, {
      hint: 'Use `root`, `temp`, `copy` or an existing directory inside the suite root.',
    })
  }
  return { path, specDir, root, filled }
}

/** The place of a spec in a copy of the root; `undefined` for one outside of the root. */
export function placeInCopy(
  specFile: string,
  { root, copy }: { readonly root: string; readonly copy: string },
): string | undefined {
  return isInside(specFile, root) ? join(copy, relative(root, specFile)) : undefined
}

async function copyOfRoot(options: DirectoryOptions): Promise<WorkingDirectory> {
  const { spec, root, scratchDir } = options
  const path = join(await scratchDir(), 'work')
  mkdirSync(path, { recursive: true })
  const specDir = dirname(placeInCopy(spec.file, { root, copy: path }) ?? spec.file)
  const filled = fill({ path, specDir }, options)
  // Whoever waits for it gets the error.
  filled.catch(() => undefined)
  return { path, specDir, root: path, filled }
}

async function fill(
  { path, specDir }: Pick<WorkingDirectory, 'path' | 'specDir'>,
  { root, env, signal }: DirectoryOptions,
): Promise<void> {
  // Loaded with the first copy: most specs need none.
  const { copyRoot } = await import('./copy-root.ts')
  await copyRoot({ root, target: path, env, signal })
  // The spec and all beside it may be ignored by git.
  await mkdir(specDir, { recursive: true })
}
