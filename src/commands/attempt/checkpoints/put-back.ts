import { chmod, lstat, mkdir, rm, rmdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { isEmptyFolder, pathBytes, shownPath, type FoundFile } from './list-files.ts'

/** One file of a checkpoint. Folders are not among them: they are where their files are. */
export interface Entry extends FoundFile {
  /** Of its content, or of where a link leads: the same for the same bytes. */
  readonly id: string
}

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
  { root, get }: { root: string; get: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>> },
): Promise<void> {
  const wantedPaths = new Set(wanted.map(({ path }) => path))
  for (const { path } of now.filter((entry) => !wantedPaths.has(entry.path))) {
    await clearWay(root, path)
    await rm(pathBytes(root, path), { force: true })
    await removeEmptyFolders(root, path)
  }
  const before = byPath(now)
  const changed = wanted.filter((entry) => !isSame(entry, before.get(entry.path)))
  const contents = await get([...new Set(changed.map(({ id }) => id))])
  for (const entry of changed) await write(entry, contents.get(entry.id) ?? Buffer.alloc(0), root)
}

export function changedPaths({ wanted, now }: Difference): readonly string[] {
  const [before, after] = [byPath(wanted), byPath(now)]
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all].filter((path) => !isSame(before.get(path), after.get(path))).toSorted()
}

function byPath(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.path, entry]))
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode
}

async function write(entry: Entry, content: Buffer, root: string): Promise<void> {
  const { path, mode } = entry
  const file = pathBytes(root, path)
  await clearWay(root, path)
  const before = await lstat(file).catch(() => undefined)
  try {
    await mkdir(pathBytes(root, dirname(path)), { recursive: true })
    if (isEmptyFolder(entry)) return
    // Not written through a link, neither a symbolic nor a hard one.
    await rm(file, { force: true })
    if (mode === '120000') return await symlink(content, file)
    await writeFile(file, content, { flag: 'wx' })
    // Who may read it is the user's choice; who may execute it is in the checkpoint.
    const permissions = (before?.isFile() === true ? before.mode : (await lstat(file)).mode) & 0o777
    await chmod(file, mode === '100755' ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111)
    // Python runs the compiled form of a file of the same second and size: after an undo that would be the undone code.
    const second = before && secondOf(before)
    if (second !== undefined && secondOf(await lstat(file)) === second) await utimes(file, second + 1, second + 1)
  } catch (error: unknown) {
    const message = `\`${shownPath(path)}\` could not be put back (${messageOf(error)}).`
    throw new MdtestError('EXEC_RESTORE_FAILED', message, {
      hint: 'Move away what is in its place, then go on with `--resume`.',
      cause: error,
    })
  }
}

/** Removes a link or file on the way to a path: git may ignore it, and what a link leads to is not the project's. */
async function clearWay(root: string, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1)
  for (const [index] of names.entries()) {
    const folder = pathBytes(root, names.slice(0, index + 1).join('/'))
    const stats = await lstat(folder).catch(() => undefined)
    if (stats === undefined) return
    if (!stats.isDirectory()) return await rm(folder, { force: true })
  }
}

function secondOf({ mtimeMs }: { mtimeMs: number }): number {
  return Math.floor(mtimeMs / 1000)
}

async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      await rmdir(pathBytes(root, folder))
    } catch {
      return // Something is in it.
    }
  }
}
