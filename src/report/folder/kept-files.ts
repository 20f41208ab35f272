import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { lookAt, readFileIn, type FileReading } from '../../system/files/read-file.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'

const maxBytes = 20 * 1024 * 1024

export interface KeptFiles {
  /** Copies a screenshot and returns its path in the folder; `undefined` if it is missing, too large or no image. */
  keepImage(source: Source): string | undefined
  /** Copies a log or recording if it is not too large. Returns size and path; `undefined` if missing or empty. */
  keepLog(source: Source): { readonly bytes: number; readonly path?: string } | undefined
}

export interface Source {
  readonly file: string
  readonly ground: Ground
}

export function openKeptFiles({ dir, ground }: { readonly dir: string; readonly ground: Ground }): KeptFiles {
  /** A file is named after the hash of its content, so an existing file need not be written again. */
  const keep = (bytes: Buffer, nameOf: (hash: string) => string): string => {
    const path = nameOf(contentHash(bytes))
    const file = join(dir, path)
    if (lookAt(ground, file)?.isFile() === true) return path
    makeFolder(ground, dirname(file))
    replaceFile(ground, file, bytes)
    return path
  }
  return {
    keepImage(source) {
      const read = readOwn(source)
      const extension = read.ok ? imageExtension(read.bytes) : undefined
      return read.ok && extension !== undefined ? keep(read.bytes, (hash) => `images/${hash}.${extension}`) : undefined
    },
    keepLog(source) {
      const read = readOwn(source)
      if (!read.ok) return read.why === 'too-large' ? { bytes: maxBytes } : undefined
      if (read.bytes.length === 0) return undefined
      const name = basename(source.file).replaceAll(/[^\w.-]/g, '_')
      return { bytes: read.bytes.length, path: keep(read.bytes, (hash) => `logs/${hash}-${name}`) }
    },
  }
}

/** Refuses a file with hard links, because it may be a file from elsewhere. */
function readOwn({ file, ground }: Source): FileReading {
  const read = readFileIn(ground, file, maxBytes)
  return read.ok && read.stats.nlink > 1 ? { ok: false, why: 'not-regular', found: 'a file with another name' } : read
}

export function contentHash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

const signatures: readonly (readonly [extension: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
]

/** Finds the type of an image in its content, as browsers do. The name may be wrong. */
function imageExtension(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('latin1')
  return signatures.find(([, signature]) => signature.test(start))?.[0]
}
