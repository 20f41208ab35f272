import { relative, sep } from 'node:path'
import { groundAt, realPathOf, type Ground } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { isAllowed } from '../guard/source-guard.ts'

export interface OwnPlaces {
  /** Absolute path of where the agent works. */
  readonly cwd: string
  /** Absolute path of the folder for files of the agent's own. */
  readonly scratchDir: string
  /** Front matter `writes`: patterns relative to `cwd`. */
  readonly writes: readonly string[]
  /** Absolute path of the log folder, where the agent never writes: screenshots there are mdtest's. */
  readonly logsDir: string
}

/** Where an agent may write, and what it wrote. */
export class OwnPaths {
  readonly #scratch: Ground
  readonly #work: Ground
  readonly #logs: string
  readonly #writes: readonly string[]
  /** Real paths. */
  readonly #written = new Set<string>()

  constructor({ cwd, scratchDir, writes, logsDir }: OwnPlaces) {
    this.#scratch = groundAt(scratchDir)
    this.#work = groundAt(cwd)
    this.#logs = realPathOf(logsDir)
    this.#writes = writes
  }

  /** The ground below which a file (absolute path) may be written; `undefined` where it may not. */
  groundFor(file: string): Ground | undefined {
    const real = realPathOf(file)
    // `*` would make an option of it.
    if (real.split(sep).some((name) => name.startsWith('-'))) return undefined
    if (isInside(real, this.#scratch.real)) return this.#scratch
    if (!isInside(real, this.#work.real) || isInside(real, this.#logs)) return undefined
    return isAllowed(relative(this.#work.real, real).replaceAll(sep, '/'), this.#writes) ? this.#work : undefined
  }

  /** The agent wrote this file (absolute path), or has a command write it: now, or later in the background. */
  add(file: string): void {
    this.#written.add(realPathOf(file))
  }

  /** Whether a file (absolute path) may be one that the agent wrote. */
  has(file: string): boolean {
    const real = realPathOf(file)
    return isInside(real, this.#scratch.real) || this.#written.has(real)
  }
}
