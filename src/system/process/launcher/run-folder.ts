import { readdirSync, lstatSync, mkdirSync, realpathSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join, basename, dirname, isAbsolute } from 'node:path'
import { isAlive, killTrees } from '../trees/kill-trees.ts'
import { tmpdir, hostname } from 'node:os'
import { groundAt } from '../../files/trusted-folder.ts'
import { describeFileError } from '../../files/file-errors.ts'
import { MdtestError } from '../../mdtest-error.ts'
import { errorCode, orNothing } from '../../error-facts.ts'
import { readStartTime } from '../trees/process-table.ts'
import { removeIn } from '../../files/remove-files.ts'

export interface RunFolder {
  /** Absolute paths; the folders may not exist. If the first path is too long for sockets, the second is in `/tmp`. */
  paths(): readonly string[]
  makeSocketPath(): string
  makeSubfolder(): string
  makeBrowserFolder(): string
  remove(): void
}

const privateMode = 0o700

/** The limit of macOS; Linux allows 108. See unix(4) and unix(7). */
const maxSocketPathBytes = 103
const socketName = 'launcher.sock'
/** Chromium does not start if the path of this socket is too long. */
const browserSocket = '1000/org.chromium.Chromium.XXXXXX/SingletonSocket'

const shortTempDir = '/tmp'

export function createRunFolder(runMark: string): RunFolder {
  const made = new Set<string>()
  let count = 0
  let found: string | undefined
  const path = (): string => (found ??= join(realTempDir(), runMark))
  const folderFor = (socket: string): string =>
    Buffer.byteLength(join(path(), socket)) > maxSocketPathBytes ? join(shortTempDir, runMark) : path()
  const make = (folder: string): void => {
    // If somebody else has made the folder, `mkdirSync` throws. The owner of that folder could read our files.
    if (made.has(folder) && isFolder(folder)) return
    try {
      mkdirSync(folder, { mode: privateMode })
    } catch (error: unknown) {
      if (errorCode(error) === 'EEXIST') throw error
      throw noTempFolder(dirname(folder), error)
    }
    made.add(folder)
    noteOwner(folder)
  }
  const makeSubfolder = (folder: string): string => {
    make(folder)
    count += 1
    const subfolder = join(folder, String(count))
    mkdirSync(subfolder, { mode: privateMode })
    return subfolder
  }
  return {
    paths: () => [...new Set([path(), folderFor(browserSocket)])],
    makeSocketPath() {
      make(folderFor(socketName))
      return join(folderFor(socketName), socketName)
    },
    makeSubfolder: () => makeSubfolder(path()),
    makeBrowserFolder: () => makeSubfolder(folderFor(browserSocket)),
    remove() {
      for (const folder of made) removeRunFolder(folder, runMark)
    },
  }
}

/** Returns false if the folder could not be removed, because it is still in use or unreadable. Never throws. */
export function removeRunFolder(path: string, runMark: string): boolean {
  if (!isAbsolute(path) || basename(path) !== runMark || !isRunMark(runMark)) return true
  try {
    if (isFolder(path)) removeIn(groundAt(dirname(path)), path)
    return true
  } catch {
    return false
  }
}

function isRunMark(name: string): boolean {
  return /^mdtest-[0-9a-f]{16}$/.test(name)
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function noTempFolder(place: string, cause: unknown): MdtestError {
  const message = `The folder for temporary files, \`${place}\`, cannot be used: ${describeFileError(cause)}.`
  const hint = 'Make it a folder that you can write to, or set TMPDIR to one. The spec is not at fault.'
  return new MdtestError('EXEC_TEMP_UNWRITABLE', message, { hint, cause })
}

function realTempDir(): string {
  return orNothing(() => realpathSync(tmpdir())) ?? tmpdir()
}

/** Cleans up after a run that was killed together with its launcher: ends its processes and removes its folders. */
export async function endEarlierRun(runMark: string): Promise<void> {
  await killTrees({ roots: [], mark: runMark, graceMs: 1_000 })
  for (const path of createRunFolder(runMark).paths()) removeRunFolder(path, runMark)
}

/** Cleans up after all dead runs of this user that have left a folder. Never throws. */
export async function endAbandonedRuns(): Promise<void> {
  for (const home of new Set([realTempDir(), shortTempDir])) {
    // Skip an unreadable folder: the next attempt to create a folder in it reports the problem.
    for (const name of orNothing(() => readdirSync(home)) ?? []) {
      if (isRunMark(name) && isAbandoned(join(home, name))) await endEarlierRun(name)
    }
  }
}

interface Owner {
  readonly pid: number
  readonly startTime?: string | undefined
  /** Boot of the machine and pid namespace. In another boot or namespace, the same `pid` is another process. */
  readonly place: string
}

const fileName = 'owner.json'
const maxBytes = 4096

export function noteOwner(folder: string): void {
  const { pid } = process
  const owner: Owner = { pid, startTime: readStartTime(pid), place: placeOfIds() }
  // Ignore errors: without this file, `endAbandonedRuns` merely leaves the folder behind after a crash.
  orNothing(() => writeFileSync(join(folder, fileName), JSON.stringify(owner), { flag: 'wx', mode: 0o600 }))
}

export function isAbandoned(folder: string): boolean {
  try {
    const file = join(folder, fileName)
    const stats = lstatSync(file)
    const isOurs = lstatSync(folder).uid === process.getuid?.() && stats.isFile() && stats.size <= maxBytes
    if (!isOurs) return false
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner> // another shape fails the comparison below
    return owner.place === placeOfIds() && Number.isInteger(owner.pid) && !isRunning(owner)
  } catch {
    return false
  }
}

function isRunning({ pid = 0, startTime }: Partial<Owner>): boolean {
  return process.platform === 'linux' ? readStartTime(pid) === startTime : isAlive(pid)
}

function placeOfIds(): string {
  if (process.platform !== 'linux') return hostname()
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
}
