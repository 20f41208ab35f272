/** When a command began and how long it took so far. */
export interface CommandClock {
  /** `startedAt` is ISO 8601, UTC; `durationMs` is in milliseconds. */
  read(): { readonly startedAt: string; readonly durationMs: number }
}

export function startCommandClock(): CommandClock {
  const startedAt = new Date().toISOString()
  const startMs = performance.now()
  return { read: () => ({ startedAt, durationMs: Math.round(performance.now() - startMs) }) }
}
