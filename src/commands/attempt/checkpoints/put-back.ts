import { chmod, lstat, mkdir, rm, rmdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { pathBytes, shownPath, type Entry, type FileStore } from './file-store.ts'
import { messageOf } from '../../../system/error-facts.ts'

/** What is to be there, and what is. */
export interface Difference {
  readonly wanted: readonly Entry[]
  readonly now: readonly Entry[]
}

/**
 * Makes the files of a folder those that are wanted: removes what is not among them, writes what differs, touches
 * nothing else. What was done in part is done to its end by another call.
 */
export async function putBack(
  { wanted, now }: Difference,
  {
    root,
    store,
    keptFolders,
  }: { readonly root: string; readonly store: FileStore; readonly keptFolders: ReadonlySet<string> },
): Promise<void> {
  const wantedByPath = new Map(wanted.map((entry) => [entry.path, entry]))
  const nowByPath = new Map(now.map((entry) => [entry.path, entry]))
  for (const { path } of now.filter((entry) => !wantedByPath.has(entry.path))) {
    await clearWay(root, path)
    await rm(pathBytes(root, path), { force: true })
    await removeEmptyFolders(root, path, keptFolders)
  }
  const changed = wanted.filter((entry) => !isSame(entry, nowByPath.get(entry.path)))
  const contents = await store.get([...new Set(changed.map(({ id }) => id))])
  for (const entry of changed) await write(entry, contents.get(entry.id) ?? Buffer.alloc(0), root)
}

/** Paths of what was added, removed or changed. */
export function changedPaths({ wanted, now }: Difference): readonly string[] {
  const before = new Map(wanted.map((entry) => [entry.path, entry]))
  const after = new Map(now.map((entry) => [entry.path, entry]))
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all].filter((path) => !isSame(before.get(path), after.get(path))).toSorted()
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode
}

async function write({ path, mode }: Entry, content: Buffer, root: string): Promise<void> {
  const file = pathBytes(root, path)
  await clearWay(root, path)
  const before = await lstat(file).catch(() => undefined)
  try {
    await mkdir(pathBytes(root, dirname(path)), { recursive: true })
    // Not written through a link, neither a symbolic nor a hard one.
    await rm(file, { force: true })
    if (mode === '120000') return await symlink(content, file)
    await writeFile(file, content, { flag: 'wx' })
    // Who may read it is the user's choice; who may execute it is in the checkpoint.
    const permissions = (before?.isFile() === true ? before.mode : (await lstat(file)).mode) & 0o777
    await chmod(file, mode === '100755' ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111)
    if (before !== undefined) await changeSecond(file, secondOf(before))
  } catch (error: unknown) {
    const why = messageOf(error)
    throw new MdtestError('EXEC_RESTORE_FAILED', `\`${shownPath(path)}\` could not be put back (${why}).`, {
      hint: 'Move away what is in its place, then go on with `--resume`.',
      cause: error,
    })
  }
}

/**
 * Removes a link or file on the way to a path that has to lie in folders: something that git ignores may have been put
 * there, and what it leads to is not the project's.
 */
async function clearWay(root: string, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1)
  for (const [index] of names.entries()) {
    const folder = pathBytes(root, names.slice(0, index + 1).join('/'))
    const stats = await lstat(folder).catch(() => undefined)
    if (stats === undefined) return
    if (!stats.isDirectory()) return await rm(folder, { force: true })
  }
}

/** Python runs the compiled form of a file of the same second and size: after an undo that would be the undone code. */
async function changeSecond(file: Buffer, second: number): Promise<void> {
  if (secondOf(await lstat(file)) === second) await utimes(file, second + 1, second + 1)
}

function secondOf({ mtimeMs }: { readonly mtimeMs: number }): number {
  return Math.floor(mtimeMs / 1000)
}

async function removeEmptyFolders(root: string, path: string, kept: ReadonlySet<string>): Promise<void> {
  for (let folder = dirname(path); folder !== '.' && !kept.has(folder); folder = dirname(folder)) {
    try {
      await rmdir(pathBytes(root, folder))
    } catch {
      return // Something is in it.
    }
  }
}
