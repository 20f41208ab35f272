import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** SHA-256 of a file's bytes in hexadecimal; `undefined` if it cannot be read. */
export function hashFile(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return undefined
  }
}
