import { createHash } from 'node:crypto'

/** SHA-256 of texts and their lengths, in hexadecimal. So moving text from one part to the next changes the digest. */
export function digestParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
