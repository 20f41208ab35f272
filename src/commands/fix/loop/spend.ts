import type { Spent } from './fix-context.ts'
import type { SessionState } from '../session/session-state.ts'

type Costs = Pick<SessionState, 'cost_usd' | 'session_costs_usd' | 'calls_without_cost'>

/**
 * The costs of a session with those of one more call, and what is known of that call alone. The same call may come
 * again. Pure.
 */
export function spend(used: Spent, costs: Costs): Costs & { readonly costUsd: number | null } {
  const { call, sessionId = call, sessionCostUsd, isCostTold } = used
  const before = costs.session_costs_usd[sessionId] ?? 0
  // Nothing new of a call that was cut off is nothing known: its first request may have been the dear one.
  const isKnown = sessionCostUsd !== undefined && (isCostTold || sessionCostUsd > before)
  const bySession = isKnown
    ? { ...costs.session_costs_usd, [sessionId]: Math.max(before, sessionCostUsd) }
    : costs.session_costs_usd
  const untold = isCostTold ? costs.calls_without_cost : [...new Set([...costs.calls_without_cost, call])]
  const known = Object.values(bySession)
  return {
    session_costs_usd: bySession,
    calls_without_cost: untold,
    cost_usd: known.length === 0 && untold.length > 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    costUsd: isKnown ? Math.max(0, sessionCostUsd - before) : null,
  }
}
