import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { groundAt } from '../../../system/files/ground.ts'
import { replaceFile } from '../../../system/files/write-file.ts'

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
      replaceFile(groundAt(dirname(this.#file)), this.#file, String(endMs))
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

/** Milliseconds since 1970, the same for all processes of this machine. */
export function timeNow(): number {
  return performance.timeOrigin + performance.now()
}
