import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readRegularFile } from '../result-log/read-regular-file.ts'

/** What is larger is not copied. */
const maxImageBytes = 20 * 1024 * 1024
const maxLogBytes = 20 * 1024 * 1024

/** Copies files of runs into the folder of a report, so that the folder can be moved. */
export interface KeptFiles {
  /** The path of a screenshot in the folder; nothing where the file is no image, is too large or not there. */
  keepImage(file: string): Promise<string | undefined>
  /** The path of a log or recording in the folder, its size in any case; nothing where it is not there. */
  keepLog(file: string): Promise<{ readonly bytes: number; readonly path?: string } | undefined>
}

interface KeptOptions {
  /** For logs. @default logs */
  readonly logFolder?: string
  /** Takes out of logs what is not taken out yet. */
  readonly redact?: (text: string) => string
}

/** Opens the folder of a report (absolute) for files of runs. Links are not followed: an agent can place them. */
export function openKeptFiles(dir: string, { logFolder = 'logs', redact }: KeptOptions = {}): KeptFiles {
  return {
    async keepImage(file) {
      const read = readRegularFile(file, maxImageBytes)
      const extension = read.ok ? imageExtension(read.bytes) : undefined
      if (!read.ok || extension === undefined) return undefined
      return keep(dir, read.bytes, (hash) => `images/${hash}.${extension}`)
    },
    async keepLog(file) {
      const read = readRegularFile(file, maxLogBytes)
      if (!read.ok) return read.why === 'too-large' ? { bytes: maxLogBytes } : undefined
      if (read.bytes.length === 0) return undefined
      // Names of runs hold no other characters; those of a report that is merged are checked when it is read.
      const name = basename(file).replaceAll(/[^\w.-]/g, '_')
      const bytes = redact === undefined ? read.bytes : Buffer.from(redact(read.bytes.toString('utf8')))
      return { bytes: bytes.length, path: await keep(dir, bytes, (hash) => `${logFolder}/${hash}-${name}`) }
    },
  }
}

/** Named by its content: what is there already is the same. */
async function keep(dir: string, bytes: Buffer, nameOf: (hash: string) => string): Promise<string> {
  const path = nameOf(createHash('sha256').update(bytes).digest('hex').slice(0, 16))
  const file = join(dir, path)
  if (existsSync(file)) return path
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, bytes)
  return path
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
