import { constants } from 'node:fs'
import { chmod, lstat, mkdir, rm, rmdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { runProgram } from '../../../system/process/run-program.ts'
import { kindOf, pathBytes, shownPath, type FoundFile } from './list-work-tree.ts'

/** A file, link, pipe or empty folder. A folder with files has no entry, because it comes back with its files. */
export interface Entry extends Pick<FoundFile, 'path' | 'mode'> {
  /** Hash of the content, or of the target of a link. Empty for folders and pipes. */
  readonly id: string
}

/** Git stores only these three modes. A change of other permissions does not count as a change. */
export function gitMode(entry: Pick<Entry, 'mode'>): '120000' | '100644' | '100755' {
  if (kindOf(entry) === constants.S_IFLNK) return '120000'
  return (entry.mode & 0o111) === 0 ? '100644' : '100755'
}

export interface Difference {
  readonly wanted: readonly Entry[]
  readonly now: readonly Entry[]
}

/** Restores files. If a call fails halfway, a second call completes it. */
export async function putBack(
  { wanted, now }: Difference,
  { root, get }: { root: string; get: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>> },
): Promise<void> {
  const wantedPaths = new Set(wanted.map(({ path }) => path))
  for (const entry of now.filter(({ path }) => !wantedPaths.has(path))) {
    await clearWay(root, entry.path)
    if (kindOf(entry) !== constants.S_IFDIR) await rm(pathBytes(root, entry.path), { force: true })
    await removeEmptyFolders(root, entry.path)
  }
  const before = byPath(now)
  const changed = wanted.filter((entry) => {
    const now = before.get(entry.path)
    return !isSameEntry(entry, now) || entry.mode !== now?.mode
  })
  const contents = await get([...new Set(changed.map(({ id }) => id).filter(Boolean))])
  for (const entry of changed) await putBackEntry(entry, contents.get(entry.id) ?? Buffer.alloc(0), root)
}

export function changedPaths({ wanted, now }: Difference): readonly string[] {
  const [before, after] = [byPath(wanted), byPath(now)]
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all].filter((path) => !isSameEntry(before.get(path), after.get(path))).toSorted()
}

function byPath(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.path, entry]))
}

function isSameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && (a && gitMode(a)) === (b && gitMode(b))
}

async function putBackEntry(entry: Entry, content: Buffer, root: string): Promise<void> {
  const { path, mode } = entry
  const file = pathBytes(root, path)
  const kind = kindOf(entry)
  await clearWay(root, path)
  const before = await lstat(file).catch(() => undefined)
  try {
    await mkdir(pathBytes(root, dirname(path)), { recursive: true })
    // Remove the file first. Writing to it could change another file through a symbolic or hard link.
    if (before?.isDirectory() !== true || kind !== constants.S_IFDIR) await rm(file, { force: true })
    if (kind === constants.S_IFLNK) return await symlink(content, file)
    if (kind === constants.S_IFDIR) await mkdir(file, { recursive: true })
    else if (kind === constants.S_IFIFO) await makePipe(file)
    else await writeFile(file, content, { flag: 'wx' })
    await chmod(file, mode & 0o7777)
    // Change the time: Python uses old compiled code if the source has the same size and the same second.
    const second = before && secondOf(before)
    if (second !== undefined && secondOf(await lstat(file)) === second) await utimes(file, second + 1, second + 1)
  } catch (error: unknown) {
    const message = `\`${shownPath(path)}\` could not be put back (${messageOf(error)}).`
    throw new MdtestError('EXEC_RESTORE_FAILED', message, {
      hint: 'Move away the file in its place, then continue with `--resume`.',
      cause: error,
    })
  }
}

async function makePipe(file: Buffer): Promise<void> {
  // If the name is not valid UTF-8, the pipe gets another name. Then `chmod` in `putBackEntry` fails.
  const { failure } = await runProgram(['/usr/bin/env', 'mkfifo', file.toString()], { cwd: '/', env: {} })
  if (failure !== undefined) throw failure
}

/** Removes a link or file that has replaced a parent folder of the path. A link could lead out of the project. */
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
  for (let folder = path; folder !== '.'; folder = dirname(folder)) {
    try {
      await rmdir(pathBytes(root, folder))
    } catch {
      if (folder !== path) return // The folder is not empty. `path` itself may be a file.
    }
  }
}
