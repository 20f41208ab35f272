import type { EndRace } from './wait-for-end.ts'

/** Runs callbacks of the caller: the first one that throws ends the command, and is heard of at the end. */
export interface CallbackGuard {
  run(callback: () => void): void
  rethrow(): void
}

export function createCallbackGuard(race: Pick<EndRace, 'settle'>): CallbackGuard {
  let failure: { readonly error: unknown } | undefined
  return {
    run(callback) {
      if (failure !== undefined) return
      try {
        callback()
      } catch (error: unknown) {
        failure = { error }
        race.settle({ reason: 'canceled' })
      }
    },
    rethrow() {
      if (failure !== undefined) throw failure.error
    },
  }
}
