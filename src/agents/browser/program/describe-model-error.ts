import type { APICallError, RetryError } from 'ai'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { errorCause } from '../../error-cause.ts'

/** What went wrong in a request to a model or on the way to it. */
export interface ModelError {
  /** `model`: it was asked and did not answer as it should. `browser`: nobody was to blame but the browser. */
  readonly cause: 'auth' | 'budget' | 'model' | 'browser' | 'other'
  /** What is wrong, and what to do about it. */
  readonly message: string
  /** HTTP status. */
  readonly status?: number
}

/** Whoever has to give access or money is told at once: no try helps. */
export function keepFromRetries(error: unknown): void {
  if (isCallError(error) && errorCause(error.message, error.statusCode) !== 'other')
    Object.assign(error, { isRetryable: false })
}

/** @param given what the SDK throws */
export function describeModelError(given: unknown): ModelError {
  const error = isRetryError(given) ? given.lastError : given
  const text = messageOf(error)
  if (error instanceof MdtestError)
    return { cause: error.code === 'AGENT_BROWSER_UNAVAILABLE' ? 'browser' : 'other', message: sentence(text) }
  if (versionsApart.test(text))
    return {
      cause: 'model',
      message: `${sentence(text)} Install a version of \`ai\` that fits the provider's package.`,
    }
  if (!isCallError(error)) return { cause: errorCause(text), message: sentence(text) }
  const { statusCode: status } = error
  const cause = errorCause(text, status)
  const tries = isRetryError(given) ? ` It was asked ${given.errors.length} times.` : ''
  const message = cause === 'other' ? describe(error, tries) : sentence(text)
  return { cause: cause === 'other' ? 'model' : cause, message, ...(status !== undefined && { status }) }
}

function describe({ message, statusCode: status, url, responseBody: body }: APICallError, tries: string): string {
  const at = url.replace(/\?.*$/s, '')
  const said = quoted(message)
  if (status === undefined || (status === 200 && body === undefined))
    return `There is no connection to ${at}, or it broke: ${said}${tries} Check the address, and what is between.`
  const refusal = status === 200 ? refusalIn(body ?? '') : undefined
  if (refusal !== undefined)
    return `The model refused, or a filter of its provider did (finish reason \`content-filter\`). Its last words: "${quoted(refusal)}" Reword the step, or choose another model.`
  if (status === 200)
    return `What ${at} answers is no answer of a model: ${said} It begins: ${quoted(body?.slice(0, 80) ?? '')} Check its address: something else answers there, such as a proxy.`
  const [, what, remedy] =
    hints.find(([on]) => (typeof on === 'function' ? on(status) : on.test(`${message} ${body}`))) ?? []
  return `The provider ${what ?? 'refuses the request'} (${status}): ${said}${tries}${remedy === undefined ? '' : ` ${remedy}`}`
}

/** The package for Azure does not know this part of an answer. */
function refusalIn(body: string): string | undefined {
  const text = /\{\s*"type"\s*:\s*"refusal"\s*,\s*"refusal"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  return text === undefined ? undefined : String(JSON.parse(text))
}

type Hint = readonly [on: RegExp | ((status: number) => boolean), what: string, remedy: string]

/** What to do about an answer, by its status or its words; the first one that fits. */
const hints: readonly Hint[] = [
  [
    (status) => status === 404,
    'has no such address, or knows no such model',
    'Check key, name of the model and address.',
  ],
  [
    /context.?(?:length|window)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens|token count.*exceeds|(?:exceeds?|longer than).{0,40}\btokens\b|request.too.large/i,
    'takes no request of this length',
    'Make the scenario smaller, have the step look at a part of the page, or choose a model that takes longer requests.',
  ],
  [
    (status) => status === 429,
    'limits how much may be asked',
    'Try again later, or run fewer specs at once (`--concurrency`, `maxAgents`).',
  ],
  [(status) => status === 503 || status === 529, 'is overloaded', 'Try again later.'],
  [(status) => status >= 500, 'has an error of its own', 'Try again later.'],
  [
    /content.?filter|content management policy|responsible ai|safety (?:filter|policy)|usage polic/i,
    'has a filter that refuses the request',
    'Reword the step, or choose another model.',
  ],
]

/** `ai` 6 with a provider of the next major. */
const versionsApart = /unsupported model version/i

// By name: here nothing has to load the SDK.
function isCallError(error: unknown): error is APICallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

function isRetryError(error: unknown): error is RetryError {
  return error instanceof Error && error.name === 'AI_RetryError'
}

const maxSaid = 300

/** What others said, as a sentence. */
function quoted(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return sentence(flat.length > maxSaid ? `${flat.slice(0, maxSaid)}…` : flat)
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
