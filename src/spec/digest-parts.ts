import { createHash } from 'node:crypto'

/** SHA-256 of texts, in hexadecimal. Lengths count, so that moving text between two parts changes the digest. */
export function digestParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
