import { lstat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { copyRoot } from '../../scenario/workspace/copy-root.ts'
import { listCopied } from '../../scenario/workspace/list-copied.ts'
import { inParallel } from '../../system/in-parallel.ts'

interface EmptiedRootInput {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/**
 * Makes a copy of the suite root without the product: all files but markdown and configuration are empty. What still
 * holds there was never the product's doing.
 */
export async function makeEmptiedRoot({ root, target, env, signal }: EmptiedRootInput): Promise<void> {
  await copyRoot({ root, target, env, signal })
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

/** A file may share its blocks with the original: a new one takes its place, and links are left alone. */
async function empty(path: string): Promise<void> {
  const stats = await lstat(path)
  if (stats.isFile()) await truncate(path).catch(() => writeFile(path, ''))
}
