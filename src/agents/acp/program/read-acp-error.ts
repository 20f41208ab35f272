import type { AgentEvent } from '../../agent.ts'
import { errorCause } from '../../error-cause.ts'
import { errorSchema } from './acp-messages.ts'

type ErrorEvent = Extract<AgentEvent, { readonly type: 'error' }>

/** An error that an agent gave in place of an answer; `asked` is the method. */
export function readAcpError(error: unknown, asked: string): ErrorEvent {
  const { code, message = '', data } = errorSchema.safeParse(error).data ?? {}
  const more = data === undefined ? '' : typeof data === 'string' ? data : JSON.stringify(data)
  const told = `${message} ${more}`.trim()
  if (told === '') return { type: 'error', cause: 'other', message: `\`${asked}\` failed without a reason.` }
  return toError(told, code)
}

/** ACP's own code for an agent that nobody has logged in. */
const authRequired = -32_000

/** An error of the model, by what was told of it: an HTTP status is a code of its own, or stands in the words. */
export function toError(told: string, code?: number): ErrorEvent {
  const message = told.slice(0, maxCharacters)
  const digits = code !== undefined && code >= 400 ? code : Number(/\b([45]\d\d)\b/.exec(told)?.[1])
  const status = Number.isNaN(digits) ? {} : { status: digits }
  const cause = code === authRequired ? 'auth' : errorCause(told, status.status)
  return { type: 'error', cause, message, ...status }
}

const maxCharacters = 2_000
