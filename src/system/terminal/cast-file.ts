import { type Ground, groundAt } from '../files/ground.ts'
import type { TerminalSize } from './terminal.ts'
import { messageOf } from '../error-facts.ts'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '../files/write-file.ts'

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
      failure = `it could not be written: ${messageOf(error)}`
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

/** What a recording says of itself. */
interface CastHeader {
  readonly size: TerminalSize
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  readonly title: string
  /** Value of `TERM`; no other variable is told. */
  readonly terminalName: string
}

/** Something that happens in a recording. What was typed is no such thing: it may be a password. */
type CastEvent =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly kind: 'marker'; readonly label: string }

/** The first line of an asciicast, version 2: https://docs.asciinema.org/manual/asciicast/v2/ */
function formatCastHeader({ size, startedAtMs, title, terminalName }: CastHeader): string {
  const timestamp = Math.floor(startedAtMs / 1000)
  return `${JSON.stringify({ version: 2, width: size.cols, height: size.rows, timestamp, title, env: { TERM: terminalName } })}\n`
}

/** One more line, with the time since the start. */
function formatCastEvent(event: CastEvent, elapsedMs: number): string {
  const seconds = Math.round(elapsedMs * 1000) / 1_000_000
  return `${JSON.stringify([seconds, ...codeAndData(event)])}\n`
}

function codeAndData(event: CastEvent): readonly [code: string, data: string] {
  switch (event.kind) {
    case 'output':
      return ['o', event.text]
    case 'resize':
      return ['r', `${event.size.cols}x${event.size.rows}`]
    case 'marker':
      return ['m', event.label]
    default:
      return event satisfies never
  }
}

/** A file that only this process can find, and that is gone with it. All methods throw what the system does. */
interface UnnamedFile {
  append(text: string): void
  /**
   * Makes a file of that name of it, whole or not at all, in place of what is there.
   *
   * @param ground below it no link is followed; default: the folder of the file
   */
  copyTo(file: string, ground?: Ground): void
  /** Not an error the second time. */
  close(): void
}

const ownerOnly = 0o600
const copyBytes = 1024 * 1024

/** Makes one on the file system of a folder that exists. */
function openUnnamedFile(folder: string): UnnamedFile {
  const name = join(folder, randomUUID())
  const descriptor = openSync(name, 'wx+', ownerOnly)
  unlinkSync(name)
  let size = 0
  let isOpen = true

  function copyInto(target: number): void {
    const buffer = Buffer.alloc(Math.min(copyBytes, size))
    for (let position = 0; position < size;) {
      const count = readSync(descriptor, buffer, 0, buffer.length, position)
      writeWhole(target, buffer.subarray(0, count))
      position += count
    }
  }

  return {
    append(text) {
      const bytes = Buffer.from(text)
      writeWhole(descriptor, bytes)
      size += bytes.length
    },
    copyTo(file, ground = groundAt(dirname(file))) {
      replaceFile(ground, file, { write: copyInto, mode: ownerOnly })
    },
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

/** One write may take only a part. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done)
}
