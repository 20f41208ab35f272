import { randomBytes } from 'node:crypto'
import type { FixSettings, SessionState } from '../session/session-state.ts'

interface NewSession {
  readonly feature: string
  readonly settings: FixSettings
  readonly runMark: string
  readonly now: Date
}

/** A session in which nothing was done. */
export function createSession({ feature, settings, runMark, now }: NewSession): SessionState {
  const startedAt = now.toISOString()
  return {
    version: 1,
    session_id: sessionId(feature, now),
    feature,
    state: { total_tests: null, failing_tests: null, previous_attempts: 0, context_utilization: null, summaries: [] },
    next_action: 'configure-tests',
    result: null,
    reason: null,
    settings,
    history: [],
    act: null,
    failing: [],
    started_at: startedAt,
    updated_at: startedAt,
    elapsed_ms: 0,
    cost_usd: 0,
    calls_without_cost: [],
    accepted_without_cost: 0,
    session_costs_usd: {},
    agent_session_id: null,
    run_mark: runMark,
  }
}

/** Goes on with a session: what had stopped it is taken for settled, where it had stopped. */
export function reopenSession(session: SessionState, settings: Partial<FixSettings>): SessionState {
  const changed = { ...session, settings: { ...session.settings, ...settings } }
  if (session.result === null) return changed
  return {
    ...changed,
    result: null,
    reason: null,
    agent_session_id: null,
    accepted_without_cost: session.calls_without_cost.length,
    history: [...session.history, { kind: 'resumed' }],
  }
}

/** Can be a folder and a part of a ref. Sorts by time within a feature. */
function sessionId(feature: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${slug(feature)}-${time}-${randomBytes(3).toString('hex')}`
}

/** A short name of ASCII letters for a feature. */
export function slug(feature: string): string {
  const words = feature
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return (
    words
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-$/, '') || 'feature'
  )
}

/** What is not asked for. */
export const defaultSettings: Omit<FixSettings, 'root'> = {
  scope: null,
  runner: null,
  agent: 'auto',
  docs: [],
  allow: [],
  allowAllActions: false,
  maxAttempts: 10,
  maxMinutes: null,
  maxCostUsd: null,
  agentTimeoutMs: 20 * 60_000,
  agentSilenceTimeoutMs: 5 * 60_000,
  testTimeoutMs: 10 * 60_000,
  testSilenceTimeoutMs: 3 * 60_000,
  allowTestEdits: false,
  mayChange: [],
  allowScript: false,
  container: null,
  passEnv: [],
}
