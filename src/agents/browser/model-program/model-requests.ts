import type { APICallError, RetryError } from 'ai'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { ErrorEvent } from '../../agent.ts'
import { errorCause } from '../../provider-errors.ts'
import type { CreatedModel } from '../model.ts'

type ModelOfProvider = CreatedModel['model']
type Answer = Awaited<ReturnType<ModelOfProvider['doGenerate']>>

export function textIn(answer: Answer | undefined): string {
  return (answer?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const signOfLifeMs = 5_000

/** Wraps a model and remembers its requests, including running and failed requests. */
export class WatchedModel implements Disposable {
  readonly model: ModelOfProvider
  last: Answer | undefined
  /** Error of the last try, while the SDK waits before the next try. */
  #error: unknown
  #askedAtMs: number | undefined
  #pausing: NodeJS.Timeout | undefined

  /** @param onPause called regularly while the SDK waits for the next try, as a sign of life */
  constructor(model: ModelOfProvider, onPause: () => void) {
    const { specificationVersion, provider, modelId, supportedUrls } = model
    this.model = {
      ...{ specificationVersion, provider, modelId, supportedUrls },
      doGenerate: async (request) => {
        this[Symbol.dispose]()
        this.#askedAtMs ??= performance.now()
        try {
          this.last = await model.doGenerate(request)
          this.#askedAtMs = undefined
          return this.last
        } catch (error: unknown) {
          if (request.abortSignal?.aborted) throw error
          // Never retry if access or money is missing: another try would not help.
          if (
            isNamed<APICallError>(error, 'AI_APICallError') &&
            errorCause(error.message, error.statusCode) !== 'other'
          )
            Object.assign(error, { isRetryable: false })
          this.#error = error
          onPause()
          this.#pausing = setInterval(onPause, signOfLifeMs)
          throw error
        }
      },
      doStream: (request) => model.doStream(request),
    }
  }

  get callCount(): number {
    return this.last?.content.filter(({ type }) => type === 'tool-call').length ?? 0
  }

  [Symbol.dispose](): void {
    clearInterval(this.#pausing)
    this.#error = undefined
  }

  describeWait(): ErrorEvent {
    if (this.#error !== undefined) return describeModelError(this.#error)
    if (this.#askedAtMs === undefined) return errorEvent('browser', 'It was waiting for the browser.')
    const seconds = Math.round((performance.now() - this.#askedAtMs) / 1000)
    return errorEvent('model', `The model \`${this.model.modelId}\` had not answered for ${seconds} s.`)
  }
}

export function errorEvent(cause: ErrorEvent['cause'], message: string): ErrorEvent {
  return { type: 'error', cause, message: sentence(message) }
}

export function describeModelError(given: unknown): ErrorEvent {
  const error = isNamed<RetryError>(given, 'AI_RetryError') ? given.lastError : given
  const text = messageOf(error)
  if (error instanceof MdtestError)
    return errorEvent(error.code === 'AGENT_BROWSER_UNAVAILABLE' ? 'browser' : 'other', text)
  if (!isNamed<APICallError>(error, 'AI_APICallError')) return errorEvent(errorCause(text), text)
  const cause = errorCause(text, error.statusCode)
  if (cause !== 'other') return errorEvent(cause, text)
  const tries = isNamed<RetryError>(given, 'AI_RetryError') ? ` It was asked ${given.errors.length} times.` : ''
  return errorEvent('model', describeCallError(error, tries))
}

function describeCallError(
  { message, statusCode: status, url, responseBody: body = '' }: APICallError,
  tries: string,
): string {
  const at = url.replace(/\?.*$/s, '')
  const said = sentence(flat(message))
  if (status === undefined || (status === 200 && body === ''))
    return `There is no connection to ${at}, or it broke: ${said}${tries} Check the address and the network.`
  const refusal = refusalIn(body)
  if (status === 200 && refusal !== undefined)
    return `The model refused, or a filter of its provider did (finish reason \`content-filter\`). Its last words: "${flat(refusal)}" Reword the step, or choose another model.`
  if (status === 200)
    return `What ${at} answers is no answer of a model: ${said} It begins: ${sentence(flat(body.slice(0, 80)))} Check its address: something else answers there, such as a proxy.`
  const words = `${status} ${message} ${body}`
  const [, what = 'refuses the request', remedy = ''] = hints.find(([on]) => on.test(words)) ?? []
  return `The provider ${what} (${status}): ${said}${tries} ${remedy}`.trimEnd()
}

/** Text of a refusal in the raw answer, because the package for Azure cannot read refusals. */
function refusalIn(body: string): string | undefined {
  const text = /\{\s*"type"\s*:\s*"refusal"\s*,\s*"refusal"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  return text === undefined ? undefined : String(JSON.parse(text))
}

/** What to do about an error answer, by its status or its words. The first match counts. */
const hints: readonly (readonly [on: RegExp, what: string, remedy: string])[] = [
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

// Compares names, because the classes of the SDK are loaded later.
function isNamed<E extends Error>(error: unknown, name: `AI_${string}`): error is E {
  return error instanceof Error && error.name === name
}

const maxCharacters = 400

export function flat(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}

function sentence(text: string): string {
  return /[.!?…]"?$/.test(text) ? text : `${text}.`
}
