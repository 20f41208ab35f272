import type { Spent } from './fix-context.ts'
import { fixStateOf, nextAction, type FixResult } from './next-action.ts'
import type { FinishedAct } from '../session/history.ts'
import { progressOf } from '../session/progress.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'

/** The state of a session while it is worked on; each change that matters is on disk before the next step. */
export interface SessionKeeper {
  readonly state: SessionState
  /** The same with the time that has passed since it was saved. */
  current(): SessionState
  /** Written down before anything is started: what may be left of us is found by our mark. */
  open(): void
  /** An act is about to be done. Its checkpoint, if it has one, has been taken. */
  begin(kind: string, checkpoint: string | null): void
  finish(act: FinishedAct): void
  end(result: FixResult, reason: string): void
  /** Something that is not ours went wrong. An act that was begun is undone when the session goes on. */
  fail(reason: string): void
  /** These are written down with the act that they belong to. */
  spend(used: Spent): number | null
  keepAgentSession(id: string | null): void
  addSummary(text: string, reason: 'stuck' | 'context'): void
}

export function createSessionKeeper(
  initial: SessionState,
  { store, now }: { readonly store: Pick<SessionStore, 'saveState'>; readonly now: () => Date },
): SessionKeeper {
  let state = initial
  const begunAtMs = now().getTime()
  const change = (changed: Partial<SessionState>): void => void (state = { ...state, ...changed })
  const elapsedMs = (): number => initial.elapsed_ms + Math.max(0, now().getTime() - begunAtMs)
  const save = (): void => {
    change({ elapsed_ms: elapsedMs(), updated_at: now().toISOString() })
    store.saveState(state)
  }
  return {
    get state() {
      return state
    },
    current: () => ({ ...state, elapsed_ms: elapsedMs() }),
    open: save,
    begin(kind, checkpoint) {
      change({ act: { kind, checkpoint }, next_action: kind, result: null, reason: null })
      save()
    },
    finish(act) {
      change({ history: [...state.history, act], act: null })
      change(factsOf(state))
      save()
    },
    end(result, reason) {
      change({ act: null, next_action: 'stop', result, reason })
      save()
    },
    fail(reason) {
      change({ next_action: 'stop', result: 'error', reason })
      save()
    },
    spend(used) {
      const { costUsd, ...changed } = spend(used, state)
      change(changed)
      return costUsd
    },
    keepAgentSession: (id) => change({ agent_session_id: id }),
    addSummary(text, reason) {
      const { summaries } = state.state
      const summary = { version: summaries.length + 1, text, created_at: now().toISOString(), reason }
      change({ state: { ...state.state, summaries: [...summaries, summary] } })
    },
  }
}

/** What the history says, for those who read the state alone. */
function factsOf(state: SessionState): Pick<SessionState, 'state' | 'next_action' | 'failing'> {
  const { accepted, attempts, session, runs } = progressOf(state.history)
  const lastRun = runs.at(-1)
  return {
    next_action: nextAction(fixStateOf(state)).kind,
    failing: [...(accepted?.failing ?? lastRun?.failing ?? [])],
    state: {
      ...state.state,
      total_tests: accepted?.total ?? lastRun?.total ?? state.state.total_tests,
      failing_tests: accepted?.failing.length ?? lastRun?.failing.length ?? state.state.failing_tests,
      previous_attempts: attempts,
      context_utilization: session.contextUtilization,
    },
  }
}

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
