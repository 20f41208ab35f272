import { createHash } from 'node:crypto'

/** SHA-256 of texts, in hexadecimal. Parts are told apart by their lengths: text cannot move from one into the next unseen. */
export function digestParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
