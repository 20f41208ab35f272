import { z } from 'zod'
import { fixResults, type SessionState } from './session-state.ts'

const sessionStatisticsSchema = z.strictObject({
  session_id: z.string(),
  feature: z.string(),
  result: z.enum(fixResults).nullable(),
  attempts: z.int().min(0),
  failing_before: z.int().min(0).nullable(),
  failing_after: z.int().min(0).nullable(),
  delta: z.int().nullable(),
  cost_usd: z.number().min(0).nullable(),
  duration_ms: z.number().min(0),
  started_at: z.string(),
})

export const sessionsStatisticsSchema = z.strictObject({
  sessions: z.array(sessionStatisticsSchema),
  total: z.int().min(0),
  attempts: z.int().min(0),
  /** Sessions that succeeded, of those that are over; `null` where none is. */
  completion_rate: z.number().min(0).max(1).nullable(),
})

export type SessionsStatistics = z.infer<typeof sessionsStatisticsSchema>

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

function statisticsOf(state: SessionState): z.infer<typeof sessionStatisticsSchema> {
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
