import { createHash } from 'node:crypto'
import { existsSync, statSync, type Stats } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'
import { groundAt, realPathOf, type Ground } from '../../system/files/ground.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { isAllowed } from '../guard/source-guard.ts'

interface PlaceOptions {
  /** Absolute path of where the agent works. */
  readonly cwd: string
  /** Absolute path of the folder for files of its own. */
  readonly scratchDir: string
  /** Front matter `writes`: patterns relative to `cwd`. */
  readonly writes: readonly string[]
  /** Absolute paths of folders where it never may: screenshots there are mdtest's. */
  readonly closed: readonly string[]
  readonly now: () => Date
}

/** Names of files that no program takes for code or settings, next to it and elsewhere. */
const data = /\.(?:txt|csv|tsv|md|log|out|err)$/
const code =
  /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|bash|go|rs|c|cc|cpp|cxx|h|hpp|java|jar|class|kts?|scala|cs|swift|hs|zig|nim|dart|so|node|wasm)$/

/** A file that the agent wrote. Times are milliseconds since 1970. */
interface OwnFile {
  readonly sinceMs: number
  /** Of the content that was looked at last. */
  readonly stamp: string
}

/** File systems keep times as coarse as this, in milliseconds. */
const toleranceMs = 2_000

/** Larger files are not looked at: nobody writes programs of that size. */
const maxBytes = 8 * 1024 * 1024

/** Where an agent may write, and which files have the content that it wrote. */
export class OwnFiles {
  readonly #scratch: Ground
  readonly #work: Ground
  readonly #writes: readonly string[]
  readonly #closed: readonly string[]
  readonly #now: () => Date
  /** By real path. */
  readonly #files = new Map<string, OwnFile>()
  /** SHA-256 of all that was ever in them, with the time before which the agent had no such file. */
  readonly #contents = new Map<string, number>()
  /** Of those, in bytes. */
  readonly #sizes = new Set<number>()

  constructor({ cwd, scratchDir, writes, closed, now }: PlaceOptions) {
    this.#scratch = groundAt(scratchDir)
    this.#work = groundAt(cwd)
    this.#writes = writes
    this.#closed = closed.map(realPathOf)
    this.#now = now
  }

  /** The ground below which a file (absolute path, links resolved) may be written; `undefined` where it may not. */
  groundFor(file: string): Ground | undefined {
    const real = realPathOf(file)
    // `*` would make an option of it.
    if (real.split(sep).some((name) => name.startsWith('-'))) return undefined
    if (isInside(real, this.#scratch.real)) return this.#scratch
    if (!isInside(real, this.#work.real) || this.#closed.some((folder) => isInside(real, folder))) return undefined
    const name = relative(this.#work.real, real).replaceAll(sep, '/')
    return isAllowed(name, this.#writes) ? this.#work : undefined
  }

  /** The agent wrote this file (absolute path), or has a command write it: now, or later in the background. */
  addFile(file: string): void {
    const real = realPathOf(file)
    if (!this.#files.has(real)) this.#files.set(real, { sinceMs: this.#now().getTime(), stamp: '' })
    this.#learn()
  }

  /**
   * Whether a file (absolute path) is one that the agent wrote, or holds what it wrote, under whatever name. One that was
   * there before is not, though the agent saved what is in it: its time of change nobody can set.
   */
  has(file: string): boolean {
    if (this.#files.size === 0) return false
    this.#learn()
    const real = realPathOf(file)
    if (this.#files.has(real) || this.#holdsOwn(real)) return true
    const { size = 0, ctimeMs = 0 } = statsOf(real) ?? {}
    if (!this.#sizes.has(size)) return false
    const content = readForeignFile(real, maxBytes)
    const sinceMs = content === undefined ? undefined : this.#contents.get(hashOf(content))
    return sinceMs !== undefined && ctimeMs > sinceMs - toleranceMs
  }

  /**
   * Whether a program (absolute path) in the folder for files of the agent's own may load code that the agent put there, as
   * a copy of the product does with one file changed.
   *
   * @param written real paths of what else the agent is about to write; then the program may not be there yet
   */
  isLoadedBy(program: string, written: ReadonlySet<string> = new Set()): boolean {
    const real = realPathOf(program)
    if (!isInside(real, this.#scratch.real) || (written.size === 0 && !existsSync(real))) return false
    const folder = this.#folderOf(real)
    return [...this.#files.keys(), ...written].some((file) => {
      if (!isInside(file, this.#scratch.real)) return false
      return isInside(file, folder) ? !data.test(file) : code.test(file)
    })
  }

  /** The topmost one in the folder for files of the agent's own, or that itself. */
  #folderOf(real: string): string {
    const [top = '', ...below] = relative(this.#scratch.real, real).split(sep)
    return below.length === 0 ? this.#scratch.real : join(this.#scratch.real, top)
  }

  /** Whether it is a folder of a repository in which the agent wrote: hooks and settings. */
  #holdsOwn(real: string): boolean {
    return /\/(?:\.git|hooks)$/.test(real) && [...this.#files.keys()].some((file) => isInside(file, real))
  }

  /** Looks at what is in its files by now. */
  #learn(): void {
    for (const [file, { sinceMs, stamp: known }] of this.#files) {
      const stats = statsOf(file)
      // An empty file is no program.
      if (stats === undefined || stats.size === 0) continue
      const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ')
      if (stamp === known) continue
      const content = readForeignFile(file, maxBytes)
      this.#files.set(file, { sinceMs, stamp })
      if (content === undefined) continue
      const hash = hashOf(content)
      this.#contents.set(hash, Math.min(sinceMs, this.#contents.get(hash) ?? sinceMs))
      this.#sizes.add(content.length)
    }
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
