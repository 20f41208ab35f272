import type { APICallError, RetryError } from 'ai'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { AgentEvent } from '../../agent.ts'
import { errorCause } from '../../error-cause.ts'
import type { CreatedModel } from '../model.ts'

type ModelOfProvider = CreatedModel['model']
type Answer = Awaited<ReturnType<ModelOfProvider['doGenerate']>>

export function textIn({ content }: Answer): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Between two signs of life, in milliseconds. */
const signOfLifeMs = 5_000

/** What is known of the requests to a model, also of those that are under way or have failed. */
export class WatchedModel implements Disposable {
  /** For the SDK, which tries a failed request again. */
  readonly model: ModelOfProvider
  last: Answer | undefined
  /** Of the last try, while the SDK waits before the next one. */
  error: unknown
  /** Of the request that has no answer yet, by `performance.now`. */
  askedAtMs: number | undefined
  #pausing: NodeJS.Timeout | undefined

  /** @param onPause called now and then between two tries: then waiting is not taken for silence */
  constructor(model: ModelOfProvider, onPause: () => void) {
    const { specificationVersion, provider, modelId, supportedUrls } = model
    this.model = {
      ...{ specificationVersion, provider, modelId, supportedUrls },
      doGenerate: async (request) => {
        this[Symbol.dispose]()
        this.askedAtMs ??= performance.now()
        try {
          this.last = await model.doGenerate(request)
          this.askedAtMs = undefined
          return this.last
        } catch (error: unknown) {
          if (request.abortSignal?.aborted) throw error
          // Whoever has to give access or money is told at once: no try helps.
          if (isCallError(error) && errorCause(error.message, error.statusCode) !== 'other')
            Object.assign(error, { isRetryable: false })
          this.error = error
          onPause()
          this.#pausing = setInterval(onPause, signOfLifeMs)
          throw error
        }
      },
      doStream: (request) => model.doStream(request),
    }
  }

  /** How many calls the model made at once, the last time. */
  get callCount(): number {
    return this.last?.content.filter(({ type }) => type === 'tool-call').length ?? 0
  }

  /** Nothing waits any more. */
  [Symbol.dispose](): void {
    clearInterval(this.#pausing)
    this.error = undefined
  }
}

export type ErrorEvent = Extract<AgentEvent, { type: 'error' }>

/** What went wrong, and what to do about it. `model`: it was asked and did not answer as it should. */
export type ModelError = Pick<ErrorEvent, 'cause' | 'message'>

/** @param given what the SDK throws */
export function describeModelError(given: unknown): ModelError {
  const error = isRetryError(given) ? given.lastError : given
  const text = messageOf(error)
  if (error instanceof MdtestError)
    return { cause: error.code === 'AGENT_BROWSER_UNAVAILABLE' ? 'browser' : 'other', message: sentence(text) }
  if (!isCallError(error)) return { cause: errorCause(text), message: sentence(text) }
  const cause = errorCause(text, error.statusCode)
  if (cause !== 'other') return { cause, message: sentence(text) }
  const tries = isRetryError(given) ? ` It was asked ${given.errors.length} times.` : ''
  return { cause: 'model', message: describe(error, tries) }
}

function describe({ message, statusCode: status, url, responseBody: body = '' }: APICallError, tries: string): string {
  const at = url.replace(/\?.*$/s, '')
  const said = sentence(flat(message))
  if (status === undefined || (status === 200 && body === ''))
    return `There is no connection to ${at}, or it broke: ${said}${tries} Check the address, and what is between.`
  const refusal = refusalIn(body)
  if (status === 200 && refusal !== undefined)
    return `The model refused, or a filter of its provider did (finish reason \`content-filter\`). Its last words: "${flat(refusal)}" Reword the step, or choose another model.`
  if (status === 200)
    return `What ${at} answers is no answer of a model: ${said} It begins: ${sentence(flat(body.slice(0, 80)))} Check its address: something else answers there, such as a proxy.`
  const [, what, remedy] = hints.find(([on]) => on.test(`${status} ${message} ${body}`)) ?? plainRefusal
  return `The provider ${what} (${status}): ${said}${tries} ${remedy}`.trimEnd()
}

/** The package for Azure does not know this part of an answer. */
function refusalIn(body: string): string | undefined {
  const text = /\{\s*"type"\s*:\s*"refusal"\s*,\s*"refusal"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  return text === undefined ? undefined : String(JSON.parse(text))
}

type Hint = readonly [on: RegExp, what: string, remedy: string]

const plainRefusal: Hint = [/^/, 'refuses the request', '']

/** What to do about an answer, by its status or its words; the first one that fits. */
const hints: readonly Hint[] = [
  [/^404 /, 'has no such address, or knows no such model', 'Check key, name of the model and address.'],
  [
    /context.?(?:length|window)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens|token count.*exceeds|(?:exceeds?|longer than).{0,40}\btokens\b|request.too.large/i,
    'takes no request of this length',
    'Make the scenario smaller, have the step look at a part of the page, or choose a model that takes longer requests.',
  ],
  [
    /^429 /,
    'limits how much may be asked',
    'Try again later, or run fewer specs at once (`--concurrency`, `maxAgents`).',
  ],
  [/^(?:503|529) /, 'is overloaded', 'Try again later.'],
  [/^5\d\d /, 'has an error of its own', 'Try again later.'],
  [
    /content.?filter|content management policy|responsible ai|safety (?:filter|policy)|usage polic/i,
    'has a filter that refuses the request',
    'Reword the step, or choose another model.',
  ],
]

// By name: here nothing has to load the SDK.
function isCallError(error: unknown): error is APICallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

function isRetryError(error: unknown): error is RetryError {
  return error instanceof Error && error.name === 'AI_RetryError'
}

const maxCharacters = 400

/** What others said, in one line. */
export function flat(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
