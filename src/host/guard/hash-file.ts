import { createHash } from 'node:crypto'
import { readForeignFile } from '../../system/files/read-file.ts'

/** SHA-256 of each file's bytes in hexadecimal, by path; `undefined` for one that cannot be read. */
export type FileHashes = ReadonlyMap<string, string | undefined>

/** What files are like, to see later which of them changed. */
export function hashFiles(files: readonly string[]): FileHashes {
  return new Map(files.map((file) => [file, hashFile(file)]))
}

/** The files that are not as they were. */
export function changedFiles(before: FileHashes): readonly string[] {
  return [...before].filter(([file, hash]) => hashFile(file) !== hash).map(([file]) => file)
}

/** SHA-256 in hexadecimal. */
export function hashBytes(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** No spec, configuration or program is larger. */
const maxBytes = 512 * 1024 * 1024

/** SHA-256 of a file's bytes in hexadecimal; `undefined` if it cannot be read, for example because it is a pipe by now. */
export function hashFile(file: string): string | undefined {
  const bytes = readForeignFile(file, maxBytes)
  return bytes && hashBytes(bytes)
}
