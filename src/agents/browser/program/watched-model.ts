import type { CreatedModel } from '../create-model.ts'
import { retried, type RetryLimits } from './retried.ts'

type ModelOfProvider = CreatedModel['model']
type Request = Parameters<ModelOfProvider['doGenerate']>[0]
type Answer = Awaited<ReturnType<ModelOfProvider['doGenerate']>>

/** What a request consists of, in characters. */
export interface RequestSizes {
  readonly prompt: number
  readonly spec: number
  readonly tools: number
  /** What the model said and called before. */
  readonly said: number
  /** What its calls gave: pages, most of all. */
  readonly results: number
}

/** The last answer of a model. */
export interface LastAnswer {
  /** In the words of the SDK, and of the provider where they differ: `content-filter (SAFETY)`. */
  readonly finishReason: string
  readonly kind: Answer['finishReason']['unified']
  readonly text: string
  /** How many calls it made at once. */
  readonly callCount: number
}

/** What is known of the requests to a model, also of those that are under way or have failed. */
export class WatchedModel {
  /** For the SDK. It tries again what may be tried again: the SDK has nothing more to do. */
  readonly model: ModelOfProvider
  #request: Request | undefined
  #last: LastAnswer | undefined
  #askedAtMs: number | undefined

  constructor(model: ModelOfProvider, limits: RetryLimits) {
    this.model = {
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: async (request) => {
        this.#request = request
        this.#askedAtMs = performance.now()
        const answer = await retried(() => model.doGenerate(request), { ...limits, signal: request.abortSignal })
        this.#askedAtMs = undefined
        this.#last = lastAnswer(answer)
        return answer
      },
      doStream: (request) => model.doStream(request),
    }
  }

  /** Of the last request. */
  get sizes(): RequestSizes | undefined {
    return this.#request && sizesOf(this.#request)
  }

  get last(): LastAnswer | undefined {
    return this.#last
  }

  /** For how long the request under way has had no answer, in milliseconds. */
  get waitingMs(): number | undefined {
    return this.#askedAtMs === undefined ? undefined : performance.now() - this.#askedAtMs
  }
}

function lastAnswer({ content, finishReason: { unified, raw } }: Answer): LastAnswer {
  const isSame = raw === undefined || raw === unified
  return {
    finishReason: isSame ? unified : `${unified} (${raw})`,
    kind: unified,
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    callCount: content.filter(({ type }) => type === 'tool-call').length,
  }
}

function sizesOf({ prompt, tools = [] }: Request): RequestSizes {
  const sizeOf = (role: Request['prompt'][number]['role']): number =>
    prompt.filter((one) => one.role === role).reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)
  return {
    prompt: sizeOf('system'),
    spec: sizeOf('user'),
    tools: JSON.stringify(tools).length,
    said: sizeOf('assistant'),
    results: sizeOf('tool'),
  }
}
