import { maxTimerMs } from '../concurrency.ts'
import type { CommandEnd } from './command.ts'

export interface EndRace {
  readonly first: Promise<CommandEnd>
  touch(): void
  pause(): void
  resume(): void
  settle(end: CommandEnd): void
}

interface Limits {
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

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
  const act = (): void => {
    if (!over.aborted) action()
  }
  const timer = setTimeout(() => setImmediate(act), Math.min(Math.ceil(delayMs), maxTimerMs))
  over.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

export function startCommandClock(): () => { readonly startedAt: string; readonly durationMs: number } {
  const startedAt = new Date().toISOString()
  const startMs = performance.now()
  return () => ({ startedAt, durationMs: Math.round(performance.now() - startMs) })
}

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
