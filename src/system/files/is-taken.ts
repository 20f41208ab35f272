import { lstatSync } from 'node:fs'

/** Whether anything stands at a path, be it a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
