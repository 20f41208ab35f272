import type { SessionState } from './session-state.ts'

/** What became of one session. */
export interface SessionStatistics {
  readonly session_id: string
  readonly feature: string
  /** `null` while it is not over. */
  readonly result: SessionState['result']
  readonly attempts: number
  /** How many tests failed first and fail now; `null` where they never ran. */
  readonly failing_before: number | null
  readonly failing_after: number | null
  /** Tests that passed at the end and not at the beginning. */
  readonly delta: number | null
  readonly cost_usd: number
  readonly duration_ms: number
  readonly started_at: string
}

/** What became of all of them. */
export interface SessionsStatistics {
  readonly sessions: readonly SessionStatistics[]
  readonly total: number
  readonly attempts: number
  /** Sessions that succeeded, of those that are over, 0 to 1; `null` where none is. */
  readonly completion_rate: number | null
}

/** Counts sessions, in the order in which they began. Pure. */
export function sessionsStatistics(states: readonly SessionState[]): SessionsStatistics {
  const sessions = states.map(statisticsOf).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  const over = sessions.filter(({ result }) => result !== null)
  return {
    sessions,
    total: sessions.length,
    attempts: sessions.reduce((sum, { attempts }) => sum + attempts, 0),
    completion_rate: over.length === 0 ? null : over.filter(({ result }) => result === 'success').length / over.length,
  }
}

function statisticsOf(state: SessionState): SessionStatistics {
  const first = state.history.find((act) => act.kind === 'tests-ran')
  const before = first?.failing.length ?? null
  const after = state.state.failing_tests
  return {
    session_id: state.session_id,
    feature: state.feature,
    result: state.result,
    attempts: state.state.previous_attempts,
    failing_before: before,
    failing_after: after,
    delta: before === null || after === null ? null : before - after,
    cost_usd: state.cost_usd,
    duration_ms: Math.round(state.elapsed_ms),
    started_at: state.started_at,
  }
}
