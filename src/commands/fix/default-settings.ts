import type { FixSettings } from './session/session-state.ts'

/** What is not asked for. */
export const defaultSettings: Omit<FixSettings, 'root'> = {
  scope: null,
  runner: null,
  agent: 'auto',
  docs: [],
  allow: [],
  allow_all_actions: false,
  max_attempts: 10,
  max_minutes: null,
  max_cost_usd: null,
  agent_timeout_ms: 20 * 60_000,
  agent_silence_timeout_ms: 5 * 60_000,
  test_timeout_ms: 10 * 60_000,
  test_silence_timeout_ms: 3 * 60_000,
  allow_test_edits: false,
  may_change: [],
  allow_script: false,
  container: null,
  pass_env: [],
}
