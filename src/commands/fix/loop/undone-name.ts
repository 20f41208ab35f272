import { randomBytes } from 'node:crypto'

/** A name that no other checkpoint has: what is undone is never lost. */
export function undoneName(now: Date): string {
  return `undone-${now.toISOString().replaceAll(/[^\dTZ]/g, '')}-${randomBytes(3).toString('hex')}`
}
