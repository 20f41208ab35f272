import type { CommandEnd } from './command.ts'

/** The race of everything that can end a command. */
export interface EndRace {
  /** The first reason, whatever comes after it. */
  readonly first: Promise<CommandEnd>
  /** A sign of life: the silence limit counts anew from here. */
  touch(): void
  /** From here on time is not the command's: no limit comes nearer. */
  pause(): void
  /** The command goes on. */
  resume(): void
  /** Ends the race from outside. */
  settle(end: CommandEnd): void
}

interface Limits {
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Longer timers fire at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const maxTimerMs = 2 ** 31 - 1

/** Waits for a limit, the abort of `signal` or what `settle` is told, whichever comes first. */
export function waitForEnd({ hardTimeoutMs, silenceTimeoutMs, signal }: Limits): EndRace {
  const over = new AbortController()
  let resolveFirst: (end: CommandEnd) => void
  const first = new Promise<CommandEnd>((resolve) => (resolveFirst = resolve))
  const startMs = performance.now()
  let lastSignMs = startMs
  let pausedMs = 0
  let pausedAtMs: number | undefined

  function settle(end: CommandEnd): void {
    resolveFirst(end)
    // A reason of its own: the default one is an error with a stack.
    over.abort('over')
  }

  watchTotal()
  if (silenceTimeoutMs !== undefined) watchSilence(silenceTimeoutMs)
  signal?.addEventListener('abort', () => settle({ reason: 'canceled' }), { once: true, signal: over.signal })
  if (signal?.aborted) settle({ reason: 'canceled' })

  function watchTotal(): void {
    const pausedNowMs = pausedAtMs === undefined ? 0 : performance.now() - pausedAtMs
    const leftMs = Math.min(hardTimeoutMs, maxTimerMs) + startMs + pausedMs + pausedNowMs - performance.now()
    if (leftMs <= 0) return settle({ reason: 'hard-timeout', limitMs: hardTimeoutMs })
    after(leftMs, over.signal, watchTotal)
  }

  function watchSilence(limitMs: number): void {
    if (pausedAtMs !== undefined) lastSignMs = performance.now()
    const leftMs = lastSignMs + limitMs - performance.now()
    if (leftMs <= 0) return settle({ reason: 'silence-timeout', limitMs })
    after(leftMs, over.signal, () => watchSilence(limitMs))
  }

  return {
    first,
    touch() {
      lastSignMs = performance.now()
    },
    pause() {
      pausedAtMs ??= performance.now()
    },
    resume() {
      if (pausedAtMs === undefined) return
      lastSignMs = performance.now()
      pausedMs += lastSignMs - pausedAtMs
      pausedAtMs = undefined
    },
    settle,
  }
}

/**
 * Runs `action` after `delayMs`, but not before events that are due already had their turn: when this process was
 * too busy, the exit or the output that it missed must not be taken for a timeout.
 */
function after(delayMs: number, over: AbortSignal, action: () => void): void {
  if (over.aborted) return
  const timer = setTimeout(
    () => {
      setImmediate(() => {
        if (!over.aborted) action()
      })
    },
    Math.min(Math.ceil(delayMs), maxTimerMs),
  )
  over.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

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
