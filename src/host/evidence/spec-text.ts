import { readForeignFile } from '../../system/files/read-file.ts'

const maxBytes = 512 * 1024 * 1024

/** The text of a spec; nothing where it cannot be read. */
export function readSpecText(specFile: string): string {
  // It may be gone, or a pipe by now: the agent cannot read it either.
  return readForeignFile(specFile, maxBytes)?.toString('utf8') ?? ''
}
