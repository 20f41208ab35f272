import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A small change of how the command of OpenSpec behaves. */
export interface Patch {
  /** Below `dist`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const packageFolder = join(modules, '@fission-ai/openspec')

/** A copy of the installed `openspec`, changed by this patch, and a folder for PATH that has it alone. */
export async function copyOpenSpec(patch?: Patch): Promise<AsyncDisposable & { readonly bin: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mdtest-openspec-'))
  const copy = join(folder, 'openspec')
  await cp(packageFolder, copy, { recursive: true })
  if (patch !== undefined) await applyPatch(join(copy, 'dist', patch.file), patch)
  // What the package does not bring along itself.
  await symlink(modules, join(folder, 'node_modules'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink(join(copy, 'bin/openspec.js'), join(bin, 'openspec'))
  return { bin, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** @throws {Error} where the file does not have the text that the patch replaces */
async function applyPatch(file: string, { from, to }: Patch): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no \`${from}\`: write the patch anew for this version`)
  await writeFile(
    file,
    text.replaceAll(from, () => to),
  )
}
