import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer } from '../../../agents/ask-agent.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { askInProject, type ProjectQuestion } from '../../attempt/attempt.ts'
import type { ActContext, Spent } from '../loop/session-keeper.ts'
import { exceededLimit } from '../loop/next-action.ts'

export interface RoleQuestion<T> {
  readonly role: 'test-tasker' | 'prompt-writer' | 'implementer' | 'summarizer'
  readonly prompt: string
  readonly schema: z.ZodType<T>
  readonly sessionId?: string | undefined
}

export type RoleAnswer<T> = { readonly sessionId: string | undefined; readonly contextUtilization: number | null } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly cause: Extract<Answer, { ok: false }>['cause'] | 'invalid'; readonly reason: string }
)

/** Asks once more if the answer is unusable. An implementer is not asked again, because only its changes count. */
export async function askRole<T>(question: RoleQuestion<T>, context: ActContext): Promise<RoleAnswer<T>> {
  const first = await askPatiently(question, context)
  if (first.ok || question.role === 'implementer' || !/^(?:invalid|no-answer)$/.test(first.cause)) return first
  const prompt = `Your answer could not be used: ${first.reason} What you have done so far stays. Answer once more, by the schema.`
  // A new session does not know the question, so repeat it.
  const again = first.sessionId === undefined ? `${question.prompt}\n\n${prompt}` : prompt
  return await askPatiently({ ...question, prompt: again, sessionId: first.sessionId }, context)
}

/** If the provider's limit is reached, waits and asks again. */
async function askPatiently<T>(question: RoleQuestion<T>, context: ActContext): Promise<RoleAnswer<T>> {
  let asked = question
  for (let times = 1; ; times += 1) {
    const answer = await askOnce(asked, context)
    if (answer.ok || answer.cause !== 'limit' || !(await waitForProvider(times, context))) return answer
    const prompt = `A limit of your provider stopped you. What you have done so far stays. Go on:\n\n${question.prompt}`
    asked = { ...question, prompt, sessionId: answer.sessionId }
  }
}

async function askOnce<T>(question: RoleQuestion<T>, context: ActContext): Promise<RoleAnswer<T>> {
  const { role, schema } = question
  const { store, now, keeper, state } = context
  const call = `${state.history.length + 1}-${role}-${randomBytes(3).toString('hex')}`
  const folder = join(store.folder, 'calls', call)
  const { root } = state.settings
  const answer = await askInProject(projectQuestion(question, context), {
    ...context,
    root,
    ground: store.ground,
    folder,
  })
  const { sessionCostUsd, isCostTold, contextUtilization } = answer
  const sessionId = answer.sessionId ?? question.sessionId
  const costUsd = keeper.spend(withoutUndefined<Spent>({ call, isCostTold, sessionId, sessionCostUsd }))
  const checked = answer.ok ? check(schema, answer.value) : answer
  const message = checked.ok ? undefined : checked.reason
  store.addEvent(
    { agent: role, action: 'answered', cost_usd: costUsd, ...(message !== undefined && { message }) },
    now(),
  )
  return { ...checked, sessionId, contextUtilization }
}

function projectQuestion<T>({ prompt, schema, sessionId }: RoleQuestion<T>, context: ActContext): ProjectQuestion {
  const { state, mcpServers, keeper } = context
  const { settings } = state
  const leftUsd = settings.max_cost_usd === null ? undefined : settings.max_cost_usd - (keeper.state.cost_usd ?? 0)
  return {
    agent: context.agent(),
    ...{ prompt, schema: z.toJSONSchema(schema), sessionId, mcpServers },
    allow: [...context.allow, ...settings.allow],
    dangerouslyAllowAllActions: settings.allow_all_actions,
    ...(leftUsd !== undefined && { maxCostUsd: Math.max(0.01, leftUsd) }),
    // The call must end before the time of the session is over.
    hardTimeoutMs: Math.max(1, Math.ceil(Math.min(settings.agent_timeout_ms, leftMs(context)))),
    silenceTimeoutMs: settings.agent_silence_timeout_ms,
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown) {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true as const, value: parsed.data }
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `\`${path.join('.')}\`: ${message}`)
  return { ok: false, cause: 'invalid', reason: `It does not fit the schema (${problems.join('; ')}).` } as const
}

/** About a day, because a pause takes up to 5 minutes. Waiting longer, for a weekly limit, makes no sense. */
const maxWaits = 290

/** Returns whether the session has time left. @throws MdtestError `AGENT_LIMITED` after `maxWaits` waits in a row */
export async function waitForProvider(times: number, context: ActContext): Promise<boolean> {
  const { waitMs, keeper, progress, signal, say } = context
  if (times > maxWaits) {
    const message = `The agent's provider asked ${maxWaits} times in a row to come back later.`
    throw new MdtestError('AGENT_LIMITED', message, { hint: 'Go on with `--resume` when its limit is over.' })
  }
  const ms = Math.min(waitMs(times), leftMs(context))
  say(`  waits ${Math.ceil(ms / 1000)} s for the agent's provider`)
  // Add 2 ms, because timers may fire slightly early.
  await sleep(Math.ceil(ms) + 2, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
  return exceededLimit(keeper.current(), progress) === undefined
}

function leftMs({ keeper }: Pick<ActContext, 'keeper'>): number {
  const { settings, elapsed_ms: elapsedMs } = keeper.current()
  return settings.max_minutes === null ? Infinity : Math.max(0, settings.max_minutes * 60_000 - elapsedMs)
}
