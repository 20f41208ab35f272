import { lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { readStartTime } from '../trees/process-table.ts'
import { errorCode } from '../../error-facts.ts'

/** A process, as far as that can be said for good. */
interface Owner {
  readonly pid: number
  /** Absent on macOS. */
  readonly startTime?: string | undefined
  /** Where its id means it: a machine since it was started, a container. */
  readonly place: string
}

const fileName = 'owner.json'
/** Longer than any. */
const maxBytes = 4096

/** Notes in a folder of ours that it is this process's. Never throws. */
export function noteOwner(folder: string): void {
  const { pid } = process
  const owner: Owner = { pid, startTime: readStartTime(pid), place: placeOfIds() }
  try {
    writeFileSync(join(folder, fileName), JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
  } catch {
    // If we and our launcher are killed, nothing cleans up after us.
  }
}

/** Whether a folder is this user's, and of a process of this machine that is there no more. Never throws. */
export function isAbandoned(folder: string): boolean {
  try {
    const file = join(folder, fileName)
    const stats = lstatSync(file)
    const isOurs = lstatSync(folder).uid === process.getuid?.() && stats.isFile() && stats.size <= maxBytes
    if (!isOurs) return false
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner> // of ours, or compared in vain
    return owner.place === placeOfIds() && Number.isInteger(owner.pid) && !isAlive(owner)
  } catch {
    return false
  }
}

function isAlive({ pid = 0, startTime }: Partial<Owner>): boolean {
  if (process.platform === 'linux') return readStartTime(pid) === startTime
  try {
    return process.kill(pid, 0)
  } catch (error: unknown) {
    return errorCode(error) !== 'ESRCH'
  }
}

function placeOfIds(): string {
  if (process.platform !== 'linux') return hostname()
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
}
