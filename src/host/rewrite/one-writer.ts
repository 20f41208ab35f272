import { createHash } from 'node:crypto'
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../system/error-facts.ts'

/** Nobody needs that long, in milliseconds. */
const maxWaitMs = 2000
/** Between two looks, in milliseconds. */
const pauseMs = 5

/**
 * Reads and rewrites a file while no other run on this machine does. Where that cannot be had it goes on all the same: the
 * file is replaced as a whole in any case.
 */
export function asOneWriter<Result>(file: string, rewrite: () => Result): Result {
  const name = `mdtest-writes-${createHash('sha256').update(file).digest('hex').slice(0, 16)}`
  const lock = join(tmpdir(), name)
  const isHeld = hold(lock)
  try {
    return rewrite()
  } finally {
    if (isHeld) rmSync(lock, { force: true })
  }
}

function hold(lock: string): boolean {
  const endMs = performance.now() + maxWaitMs
  while (performance.now() < endMs) {
    try {
      // Who holds it is there from the first moment on.
      symlinkSync(String(process.pid), lock)
      return true
    } catch (error: unknown) {
      if (errorCode(error) !== 'EEXIST') return false
    }
    if (isLeft(lock)) rmSync(lock, { force: true })
    // A few milliseconds of a thread that would have nothing else to write.
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  return false
}

/** Whether its owner was killed. */
function isLeft(lock: string): boolean {
  try {
    process.kill(Number(readlinkSync(lock)), 0)
    return false
  } catch (error: unknown) {
    return errorCode(error) === 'ESRCH'
  }
}
