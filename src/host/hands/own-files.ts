import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
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
}

/** Larger files are not looked at: nobody writes programs of that size. */
const maxBytes = 8 * 1024 * 1024

/** Where an agent may write, and which files have the content that it wrote. */
export class OwnFiles {
  readonly #scratch: Ground
  readonly #work: Ground
  readonly #writes: readonly string[]
  readonly #closed: readonly string[]
  /** SHA-256. */
  readonly #contents = new Set<string>()

  constructor({ cwd, scratchDir, writes, closed }: PlaceOptions) {
    this.#scratch = groundAt(scratchDir)
    this.#work = groundAt(cwd)
    this.#writes = writes
    this.#closed = closed.map(realPathOf)
  }

  /** The ground below which a file (absolute path, links resolved) may be written; `undefined` where it may not. */
  groundFor(file: string): Ground | undefined {
    const real = realPathOf(file)
    if (isInside(real, this.#scratch.real)) return this.#scratch
    if (!isInside(real, this.#work.real) || this.#closed.some((folder) => isInside(real, folder))) return undefined
    const name = relative(this.#work.real, real).replaceAll(sep, '/')
    return isAllowed(name, this.#writes) ? this.#work : undefined
  }

  /** The agent wrote this. */
  addContent(content: Buffer | string): void {
    // An empty file is no program.
    if (content.length > 0) this.#contents.add(hashOf(content))
  }

  /** The agent had a command write this file (absolute path). */
  addFile(file: string): void {
    const content = readForeignFile(file, maxBytes)
    if (content !== undefined) this.addContent(content)
  }

  /** Whether a file (absolute path) holds what the agent wrote, under whatever name. */
  has(file: string): boolean {
    if (this.#contents.size === 0) return false
    const content = readForeignFile(realOf(file), maxBytes)
    return content !== undefined && this.#contents.has(hashOf(content))
  }
}

function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
