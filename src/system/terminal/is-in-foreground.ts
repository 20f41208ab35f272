import { execFileSync } from 'node:child_process'

/** Whether this process may change its terminal: a job in the background is stopped when it tries. */
export function isInForeground(): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' })
    return state.includes('+')
  } catch {
    return true // Nobody can say.
  }
}
