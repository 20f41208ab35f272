import { closeSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { groundAt, type Ground } from '../files/trusted-folder.ts'
import { openNewFile } from '../files/write-file.ts'
import { messageOf } from '../error-facts.ts'

export type OutputStream = 'stdout' | 'stderr'

const defaultMaxBytes = 10 * 1024 * 1024

const prefixes = { stdout: 'out| ', stderr: 'err| ' } as const

/**
 * Logs lines of output, prefixed with `out| ` or `err| `, up to `maxBytes`. Replaces an existing file. Never throws.
 * Writing is synchronous, so that a killed run loses nothing and unwritten lines cannot pile up in memory.
 */
export function createRawLog(
  file: string,
  {
    maxBytes = defaultMaxBytes,
    ground = groundAt(dirname(file)),
  }: { readonly maxBytes?: number; readonly ground?: Ground | undefined } = {},
): { add(stream: OutputStream, line: string): void; flush(): void; close(): void; readonly error: string | undefined } {
  let pending = ''
  let bytes = 0
  let isFull = false
  let error: string | undefined
  const descriptor = attempt(() => openNewFile(ground, file))

  function attempt<T>(action: () => T): T | undefined {
    if (error !== undefined) return undefined
    try {
      return action()
    } catch (cause: unknown) {
      error = `Could not write the raw log ${file}: ${messageOf(cause)}`
      return undefined
    }
  }

  function flush(): void {
    if (pending !== '' && descriptor !== undefined) attempt(() => writeFileSync(descriptor, pending))
    pending = ''
  }

  return {
    add(stream, line) {
      if (isFull) return
      const text = `${prefixes[stream]}${line}\n`
      bytes += Buffer.byteLength(text)
      isFull = bytes > maxBytes
      pending += isFull ? 'cut| The log is full: what came after this is not kept.\n' : text
      if (isFull) flush()
    },
    flush,
    close() {
      flush()
      if (descriptor !== undefined) attempt(() => closeSync(descriptor))
    },
    get error() {
      return error
    },
  }
}
