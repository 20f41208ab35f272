import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { lookAt, readFileIn, type FileReading } from '../../system/files/read-file.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'

const maxImageBytes = 20 * 1024 * 1024
const maxLogBytes = 20 * 1024 * 1024

/** Copies files of runs into the folder of a report, so that the folder can be moved. */
export interface KeptFiles {
  /** The path of a screenshot in the folder; nothing where the file is no image, is too large or not there. */
  keepImage(source: Source): string | undefined
  /** The path of a log or recording in the folder, its size in any case; nothing where it is not there. */
  keepLog(source: Source): { readonly bytes: number; readonly path?: string } | undefined
}

export interface Source {
  readonly file: string
  /** Below it no link is followed: an agent can place them. */
  readonly ground: Ground
}

interface KeptOptions {
  readonly dir: string
  /** Of the report: others can place links in it, too. */
  readonly ground: Ground
}

/** Opens the folder of a report for files of runs. A file that has another name, too, is not taken: it may be anybody's. */
export function openKeptFiles({ dir, ground }: KeptOptions): KeptFiles {
  const keep = keepIn(dir, ground)
  return {
    keepImage(source) {
      const read = readOwn(source, maxImageBytes)
      const extension = read.ok ? imageExtension(read.bytes) : undefined
      if (!read.ok || extension === undefined) return undefined
      return keep(read.bytes, (hash) => `images/${hash}.${extension}`)
    },
    keepLog(source) {
      const read = readOwn(source, maxLogBytes)
      if (!read.ok) return read.why === 'too-large' ? { bytes: maxLogBytes } : undefined
      if (read.bytes.length === 0) return undefined
      const name = basename(source.file).replaceAll(/[^\w.-]/g, '_')
      return { bytes: read.bytes.length, path: keep(read.bytes, (hash) => `logs/${hash}-${name}`) }
    },
  }
}

function readOwn({ file, ground }: Source, maxBytes: number): FileReading {
  const read = readFileIn(ground, file, maxBytes)
  return read.ok && read.stats.nlink > 1 ? { ok: false, why: 'not-regular', found: 'a file with another name' } : read
}

type Keep = (bytes: Buffer, nameOf: (hash: string) => string) => string

/** Named by its content: what is there already is the same. */
function keepIn(dir: string, ground: Ground): Keep {
  return (bytes, nameOf) => {
    const path = nameOf(contentHash(bytes))
    const file = join(dir, path)
    if (lookAt(ground, file)?.isFile() === true) return path
    makeFolder(ground, dirname(file))
    replaceFile(ground, file, bytes)
    return path
  }
}

/** What the names of kept files begin with. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

const signatures: readonly (readonly [extension: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
]

/** By what it holds, not by its name: a browser shows nothing else in an image. */
function imageExtension(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('latin1')
  return signatures.find(([, signature]) => signature.test(start))?.[0]
}
