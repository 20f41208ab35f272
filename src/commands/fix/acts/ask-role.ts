import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { Answer } from '../../../agents/ask-agent.ts'
import { askInProject } from '../../attempt/ask-in-project.ts'
import type { ActContext } from '../loop/fix-context.ts'
import { leftMs, waitForProvider } from './wait-for-provider.ts'

/** A role that an agent is asked to take. */
export interface RoleQuestion<T> {
  readonly role: 'test-tasker' | 'prompt-writer' | 'implementer' | 'summarizer'
  readonly prompt: string
  readonly schema: z.ZodType<T>
  /** The session to go on in. Default: a new one. */
  readonly sessionId?: string | undefined
}

export type RoleAnswer<T> = { readonly sessionId: string | undefined; readonly contextUtilization: number | null } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly cause: Extract<Answer, { ok: false }>['cause'] | 'invalid'; readonly reason: string }
)

/**
 * Asks an agent for an answer by a schema; once more where it does not fit. Where its provider asks to come back later,
 * that is done until the session has no time left.
 */
export async function askRole<T>(question: RoleQuestion<T>, context: ActContext): Promise<RoleAnswer<T>> {
  const first = await askPatiently(question, context)
  if (first.ok || (first.cause !== 'invalid' && first.cause !== 'no-answer')) return first
  const prompt = `Your answer could not be used: ${first.reason} What you have done so far stays. Answer once more, by the schema.`
  // Without a session that goes on, nothing is known of the question.
  const again = first.sessionId === undefined ? `${question.prompt}\n\n${prompt}` : prompt
  return await askPatiently({ ...question, prompt: again, sessionId: first.sessionId }, context)
}

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
  const { store, onPoint, now, spend, state } = context
  const name = `${state.history.length + 1}-${role}-${randomBytes(3).toString('hex')}`
  onPoint('call: before')
  const answer = await call(question, { name, context })
  onPoint('call: after')
  const sessionId = answer.sessionId ?? question.sessionId
  const { sessionCostUsd, isCostTold } = answer
  const costUsd = spend({
    call: name,
    isCostTold,
    ...(sessionId !== undefined && { sessionId }),
    ...(sessionCostUsd !== undefined && { sessionCostUsd }),
  })
  const checked = answer.ok ? check(schema, answer.value) : answer
  const message = checked.ok ? undefined : checked.reason
  await store.addEvent(
    { agent: role, action: 'answered', cost_usd: costUsd, ...(message !== undefined && { message }) },
    now(),
  )
  return { ...checked, sessionId, contextUtilization: answer.contextUtilization }
}

async function call<T>(
  { prompt, schema, sessionId }: RoleQuestion<T>,
  { name, context }: { readonly name: string; readonly context: ActContext },
): Promise<Answer> {
  const { store, state, mcpServers } = context
  const { settings } = state
  const leftUsd = settings.maxCostUsd === null ? undefined : settings.maxCostUsd - (context.current().cost_usd ?? 0)
  return await askInProject(
    {
      agent: context.agent(),
      prompt,
      schema: z.toJSONSchema(schema),
      sessionId,
      allow: [...context.allow, ...settings.allow],
      mcpServers,
      dangerouslyAllowAllActions: settings.allowAllActions,
      ...(leftUsd !== undefined && { maxCostUsd: Math.max(0.01, leftUsd) }),
      // No longer than the session has.
      hardTimeoutMs: Math.max(1, Math.ceil(Math.min(settings.agentTimeoutMs, leftMs(context)))),
      silenceTimeoutMs: settings.agentSilenceTimeoutMs,
    },
    { ...context, root: settings.root, ground: store.ground, folder: join(store.folder, 'calls', name) },
  )
}

function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
):
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly cause: 'invalid'; readonly reason: string } {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `\`${path.join('.')}\`: ${message}`)
  return { ok: false, cause: 'invalid', reason: `It does not fit the schema (${problems.join('; ')}).` }
}
