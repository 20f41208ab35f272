import { maxTimerMs, withResolvers } from '../slots-and-timers.ts'
import type { CommandEnd } from './command.ts'

export interface EndRace {
  readonly first: Promise<CommandEnd>
  touch(): void
  pause(): void
  resume(): void
  settle(end: CommandEnd): void
  /** Calls `callback`. If `callback` throws, the race ends as canceled, and `rethrow` throws the error. */
  guard(callback: () => void): void
  rethrow(): void
}

export interface EndLimits {
  readonly hardTimeoutMs: number
  /** Longest time without output and without a call of `touch()`. Default: no limit */
  readonly silenceTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export function waitForEnd({ hardTimeoutMs, silenceTimeoutMs = Infinity, signal }: EndLimits): EndRace {
  const { promise: first, resolve } = withResolvers<CommandEnd>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let lastSignMs = performance.now()
  let dueMs = lastSignMs + Math.min(hardTimeoutMs, maxTimerMs)
  let pausedAtMs: number | undefined
  let failure: { readonly error: unknown } | undefined

  const settle = (end: CommandEnd): void => {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    resolve(end)
  }
  const cancel = (): void => settle({ reason: 'canceled' })
  const watch = (): void => {
    if (isOver) return
    const nowMs = pausedAtMs ?? performance.now()
    const leftMs = dueMs - nowMs
    const leftInSilenceMs = lastSignMs + silenceTimeoutMs - nowMs
    const nextMs = Math.min(leftMs, leftInSilenceMs)
    // `setImmediate` handles pending events first. A program that ended while this process was busy is no timeout.
    if (nextMs > 0) timer = setTimeout(() => setImmediate(watch), Math.min(Math.ceil(nextMs), maxTimerMs))
    else if (nextMs === leftMs) settle({ reason: 'hard-timeout', limitMs: hardTimeoutMs })
    else settle({ reason: 'silence-timeout', limitMs: silenceTimeoutMs })
  }

  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  watch()
  return {
    first,
    touch: () => void (lastSignMs = performance.now()),
    pause() {
      pausedAtMs ??= performance.now()
    },
    resume() {
      if (pausedAtMs === undefined) return
      lastSignMs = performance.now()
      dueMs += lastSignMs - pausedAtMs
      pausedAtMs = undefined
    },
    settle,
    guard(callback) {
      if (failure !== undefined) return
      try {
        callback()
      } catch (error: unknown) {
        failure = { error }
        cancel()
      }
    },
    rethrow() {
      if (failure !== undefined) throw failure.error
    },
  }
}

export function startCommandClock(): () => { readonly startedAt: string; readonly durationMs: number } {
  const startedAt = new Date().toISOString()
  const startMs = performance.now()
  return () => ({ startedAt, durationMs: Math.round(performance.now() - startMs) })
}
