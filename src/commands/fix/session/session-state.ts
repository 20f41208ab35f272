import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { codingAgentNames } from '../../../agents/registry.ts'
import { finishedActSchema } from './finished-acts.ts'
import { runnerNames } from '../../../test-runners/runners.ts'

const words = z.tuple([z.string()], z.string())
const milliseconds = z.int().min(1)

const storedSettings = z.object({
  root: z.string(),
  scope: z.string().nullable().default(null),
  /** `null` selects the first runner that is found. */
  runner: z.enum(runnerNames).nullable().default(null),
  agent: z.union([z.enum(codingAgentNames), z.object({ acp: words }), z.object({ command: words })]).default('auto'),
  docs: z.array(z.string()).default([]),
  allow: z.array(z.string()).default([]),
  allow_all_actions: z.boolean().default(false),
  max_attempts: z.int().min(1).default(10),
  max_minutes: z.number().positive().nullable().default(null),
  max_cost_usd: z.number().positive().nullable().default(null),
  agent_timeout_ms: milliseconds.default(20 * 60_000),
  agent_silence_timeout_ms: milliseconds.default(5 * 60_000),
  test_timeout_ms: milliseconds.default(10 * 60_000),
  test_silence_timeout_ms: milliseconds.default(3 * 60_000),
  allow_test_edits: z.boolean().default(false),
  may_change: z.array(z.string()).default([]),
  allow_script: z.boolean().default(false),
  container: z.string().nullable().default(null),
  pass_env: z.array(z.string()).default([]),
})

const summarySchema = z.object({
  version: z.int().min(1),
  text: z.string(),
  created_at: z.string(),
  reason: z.enum(['stuck', 'context']),
})

export const fixResults = ['success', 'incomplete', 'stalled', 'error'] as const

/** `state.json`: the complete state of a session, saved before and after each act. */
export const sessionStateSchema = z.object({
  version: z.literal(1),
  session_id: z.string(),
  feature: z.string(),
  state: z.object({
    total_tests: z.int().min(0).nullable(),
    failing_tests: z.int().min(0).nullable(),
    previous_attempts: z.int().min(0),
    context_utilization: z.number().min(0).max(1).nullable(),
    summaries: z.array(summarySchema),
  }),
  next_action: z.string(),
  result: z.enum(fixResults).nullable(),
  reason: z.string().nullable(),
  settings: storedSettings,
  history: z.array(finishedActSchema),
  act: z.object({ kind: z.string(), checkpoint: z.string().nullable() }).nullable(),
  failing: z.array(z.string()),
  started_at: z.string(),
  updated_at: z.string(),
  elapsed_ms: z.number().min(0),
  /** Sum of all reported costs, also of interrupted calls; `null` if no cost is known. */
  cost_usd: z.number().min(0).nullable(),
  /** Calls whose cost is not fully known. Each is the name of a folder in `calls/`. */
  calls_without_cost: z.array(z.string()),
  accepted_without_cost: z.int().min(0),
  session_costs_usd: z.record(z.string(), z.number()),
  agent_session_id: z.string().nullable(),
  /** Mark of the processes that mdtest last started for this session. After a crash, it finds leftover processes. */
  run_mark: z.string(),
})

export type FixSettings = z.infer<typeof storedSettings>
export type SessionState = z.infer<typeof sessionStateSchema>

interface NewSession {
  readonly feature: string
  readonly settings: FixSettings
  readonly runMark: string
  readonly now: Date
}

export function createSession({ feature, settings, runMark, now }: NewSession): SessionState {
  const startedAt = now.toISOString()
  return {
    ...{ version: 1, session_id: sessionId(feature, now), feature },
    state: { total_tests: null, failing_tests: null, previous_attempts: 0, context_utilization: null, summaries: [] },
    ...{ next_action: 'configure-tests', result: null, reason: null, settings, history: [], act: null, failing: [] },
    ...{ started_at: startedAt, updated_at: startedAt, elapsed_ms: 0 },
    ...{ cost_usd: 0, calls_without_cost: [], accepted_without_cost: 0, session_costs_usd: {} },
    ...{ agent_session_id: null, run_mark: runMark },
  }
}

/** Resumes a session. If it had stopped, its result and reason are cleared. */
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

/** Makes an id that is valid as a folder name and in a git ref. Ids of the same feature sort by time. */
function sessionId(feature: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${slug(feature)}-${time}-${randomBytes(3).toString('hex')}`
}

export function slug(feature: string): string {
  const words = feature
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const short = words
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-$/, '')
  return short === '' ? 'feature' : short
}

export const defaultSettings: Omit<FixSettings, 'root'> = storedSettings.omit({ root: true }).parse({})
