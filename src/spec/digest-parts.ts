import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal. It includes the lengths, so that text cannot move from one part to the next unnoticed. */
export function digestParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
