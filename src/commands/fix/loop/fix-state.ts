import type { FixState } from './next-action.ts'
import type { SessionState } from '../session/session-state.ts'

/** What decides how a session goes on. */
export function fixStateOf(session: SessionState): FixState {
  const { history, settings, elapsed_ms: elapsedMs, cost_usd: costUsd } = session
  const { max_attempts: maxAttempts, max_minutes: maxMinutes, max_cost_usd: maxCostUsd } = settings
  return {
    history,
    limits: { maxAttempts, ...(maxMinutes !== null && { maxMinutes }), ...(maxCostUsd !== null && { maxCostUsd }) },
    elapsedMs,
    costUsd: costUsd ?? 0,
    untoldCosts: session.calls_without_cost.length - session.accepted_without_cost,
  }
}
