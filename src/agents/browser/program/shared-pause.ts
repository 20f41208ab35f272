import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Until when no request may be sent, for all browsers of a run that ask the same provider: each has a process of its own,
 * so it stands in a file. A file that cannot be read or written is no reason to stop.
 */
export class SharedPause {
  readonly #file: string | undefined
  #ownEndMs = 0

  /** @param file absolute path; absent for who shares nothing */
  constructor(file?: string) {
    this.#file = file
  }

  /** Milliseconds since 1970. */
  get endMs(): number {
    return Math.max(this.#ownEndMs, this.#read())
  }

  /** @param endMs milliseconds since 1970 */
  extendTo(endMs: number): void {
    this.#ownEndMs = Math.max(this.#ownEndMs, endMs)
    if (this.#file === undefined || endMs <= this.#read()) return
    try {
      const own = `${this.#file}.${process.pid}`
      writeFileSync(own, String(endMs), { mode: 0o600 })
      renameSync(own, this.#file)
    } catch {
      // Then the others find out for themselves.
    }
  }

  #read(): number {
    try {
      return this.#file === undefined ? 0 : Number(readFileSync(this.#file, 'utf8')) || 0
    } catch {
      return 0 // Nobody has to wait.
    }
  }
}
