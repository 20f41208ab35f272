import { constants } from 'node:os'

/** The name of a signal of this system. */
export function signalName(number: number): NodeJS.Signals {
  const found = Object.entries(constants.signals).find(([, each]) => each === number)?.[0]
  return (found ?? 'SIGKILL') as NodeJS.Signals // keys of `signals`; `entries` forgets it
}
