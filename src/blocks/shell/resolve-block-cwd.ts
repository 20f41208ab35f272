import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Where a block runs; without a `path`, where the shell is. */
export type BlockCwd =
  | { readonly ok: true; readonly path: string | undefined }
  | { readonly ok: false; readonly message: string }

/** A block's `cwd`, relative to the scenario's directory: a directory inside it, also once links are followed. */
export function resolveBlockCwd(scenarioCwd: string, blockCwd: string | undefined): BlockCwd {
  if (blockCwd === undefined) return { ok: true, path: undefined }
  const path = resolve(scenarioCwd, blockCwd)
  if (!isInside(resolve(scenarioCwd), path)) return outside(blockCwd)
  try {
    if (!isInside(realpathSync(scenarioCwd), realpathSync(path))) return outside(blockCwd)
    if (statSync(path).isDirectory()) return { ok: true, path }
  } catch {
    // Not there or not readable: told below.
  }
  return { ok: false, message: `The block's \`cwd=${blockCwd}\` is no directory. Create it in an earlier block.` }
}

function isInside(parent: string, path: string): boolean {
  const way = relative(parent, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function outside(blockCwd: string): BlockCwd {
  return { ok: false, message: `The block's \`cwd=${blockCwd}\` leads out of the scenario's directory.` }
}
