import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * A number that a process and all that come from it carry as their limit for message queues (`RLIMIT_MSGQUEUE`, which
 * nothing of today needs to be high). Unlike a variable of the environment it is not left behind by a program that begins
 * with an environment of its own. Linux with `prlimit`; elsewhere nobody carries it.
 */
export type InheritedLimit = number

/** What nobody carries yet; nothing where the limit of this process is too low to tell numbers apart. */
export function chooseLimit(): InheritedLimit | undefined {
  own ??= limitIn(readOwn()) ?? 0
  if (own <= lowest + width) return undefined
  count += 1
  return lowest + ((offset + count) % width)
}

/** Gives it to a process of this user, for good. Never throws: without it the process is found by other ways. */
export function setLimit(pid: number, limit: InheritedLimit): void {
  execFile('prlimit', ['--pid', String(pid), `--msgqueue=${limit}:${limit}`], () => undefined)
}

/** Whether a process with these limits (`/proc/PID/limits`) carries one of those. */
export function hasLimit(limits: string, searched: readonly InheritedLimit[]): boolean {
  const found = limitIn(limits)
  return found !== undefined && searched.includes(found)
}

/** Bytes. The kernel's default is 819 200. */
const lowest = 300_000
const width = 500_000
const offset = randomInt(width)
let count = 0
let own: number | undefined

function limitIn(limits: string): number | undefined {
  const hard = /^Max msgqueue size +\S+ +(\S+)/m.exec(limits)?.[1]
  if (hard === 'unlimited') return Number.MAX_SAFE_INTEGER
  return hard === undefined ? undefined : Number(hard)
}

function readOwn(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
