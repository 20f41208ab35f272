import { createContext, Script } from 'node:vm'

/** Regular expressions can take for ever and cannot be interrupted, but for code that `node:vm` runs. */
const script = new Script('work()')

/** Runs `work`, which must wait for nothing, and gives up after `limitMs`: then it is undefined. */
export function withinTime<T>(limitMs: number, work: () => T): T | undefined {
  try {
    return script.runInContext(createContext({ work }), { timeout: limitMs }) as T // what `work` gives
  } catch (error: unknown) {
    if (isTimeout(error)) return undefined
    throw error
  }
}

/** It is an error of the other context, so no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
