import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal. Hashes the lengths, too, so that `['ab', 'c']` and `['a', 'bc']` differ. */
export function digestParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
