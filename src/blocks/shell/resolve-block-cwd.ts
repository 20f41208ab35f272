import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'

/** Where a block runs; without a `path`, where the shell is. */
export type BlockCwd =
  | { readonly ok: true; readonly path: string | undefined }
  | { readonly ok: false; readonly message: string }

/** A block's `cwd`, relative to the scenario's directory: a directory inside it, also once links are followed. */
export function resolveBlockCwd(scenarioCwd: string, blockCwd: string | undefined): BlockCwd {
  if (blockCwd === undefined) return { ok: true, path: undefined }
  const path = resolve(scenarioCwd, blockCwd)
  if (!isInside(path, resolve(scenarioCwd))) return outside(blockCwd)
  try {
    if (!isInside(realpathSync(path), realpathSync(scenarioCwd))) return outside(blockCwd)
    if (statSync(path).isDirectory()) return { ok: true, path }
  } catch {
    // Not there or not readable: told below.
  }
  return { ok: false, message: `The block's \`cwd=${blockCwd}\` is no directory. Create it in an earlier block.` }
}

function outside(blockCwd: string): BlockCwd {
  return { ok: false, message: `The block's \`cwd=${blockCwd}\` leads out of the scenario's directory.` }
}
