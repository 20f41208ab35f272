import { isNativeError } from 'node:util/types'
import type { Ground } from '../files/ground.ts'
import { formatCastEvent, formatCastHeader, type CastEvent, type CastHeader } from './cast-lines.ts'
import { openUnnamedFile, type UnnamedFile } from './unnamed-file.ts'

/** An asciicast that is being written. Never throws: see `failure`. */
export interface CastFile {
  /** With the time since it was opened; false once it is full. */
  add(event: CastEvent): boolean
  /** Makes a file of that name of it. */
  copyTo(file: string, ground?: Ground): void
  /** Not an error the second time. */
  close(): void
  /** Why it is incomplete or missing. */
  readonly failure: string | undefined
}

interface CastFileOptions extends CastHeader {
  /** Absolute path of a folder on a file system that has room for it. */
  readonly folder: string
  readonly maxBytes: number
}

/** Written at once, in UTF-16 code units. */
const bufferCharacters = 64 * 1024

/** Opens one that nobody else can find until it is copied. Full, it ends with a marker that says so. */
export function openCastFile({ folder, maxBytes, ...header }: CastFileOptions): CastFile {
  const startMs = performance.now()
  let pending = formatCastHeader(header)
  let bytes = Buffer.byteLength(pending)
  let isFull = false
  let file: UnnamedFile | undefined
  let failure: string | undefined

  const attempt = (action: () => void): void => {
    try {
      if (failure === undefined) action()
    } catch (error: unknown) {
      failure = `it could not be written: ${isNativeError(error) ? error.message : String(error)}`
    }
  }

  const flush = (): void =>
    attempt(() => {
      file?.append(pending)
      pending = ''
    })

  attempt(() => (file = openUnnamedFile(folder)))
  return {
    add(event) {
      if (isFull || failure !== undefined) return false
      const elapsedMs = performance.now() - startMs
      const line = formatCastEvent(event, elapsedMs)
      bytes += Buffer.byteLength(line)
      isFull = bytes > maxBytes
      pending += isFull ? formatCastEvent(full, elapsedMs) : line
      if (pending.length > bufferCharacters) flush()
      return !isFull
    },
    copyTo(target, ground) {
      flush()
      attempt(() => file?.copyTo(target, ground))
    },
    close: () => file?.close(),
    get failure() {
      return failure
    },
  }
}

const full: CastEvent = { kind: 'marker', label: 'The recording is full: what came after this is not in it.' }
