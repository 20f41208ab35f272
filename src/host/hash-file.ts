import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** SHA-256 of a file's bytes in hexadecimal; `undefined` if it cannot be read. */
export async function hashFile(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}
