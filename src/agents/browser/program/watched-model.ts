import type { CreatedModel } from '../create-model.ts'
import { keepFromRetries } from './describe-model-error.ts'

type ModelOfProvider = CreatedModel['model']
type Answer = Awaited<ReturnType<ModelOfProvider['doGenerate']>>

/** The last answer of a model. */
export interface LastAnswer {
  /** In the words of the SDK, and of the provider where they differ: `content-filter (SAFETY)`. */
  readonly finishReason: string
  readonly kind: Answer['finishReason']['unified']
  readonly text: string
  /** How many calls it made at once. */
  readonly callCount: number
}

/** Between two signs of life, in milliseconds. */
const signOfLifeMs = 5_000

/** What is known of the requests to a model, also of those that are under way or have failed. */
export class WatchedModel implements Disposable {
  /** For the SDK, which tries a failed request again. */
  readonly model: ModelOfProvider
  #last: LastAnswer | undefined
  #error: unknown
  #askedAtMs: number | undefined
  #pausing: NodeJS.Timeout | undefined

  /** @param onPause called now and then between two tries: then waiting is not taken for silence */
  constructor(model: ModelOfProvider, onPause: () => void) {
    this.model = {
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: async (request) => {
        this[Symbol.dispose]()
        this.#askedAtMs ??= performance.now()
        try {
          const answer = await model.doGenerate(request)
          this.#askedAtMs = undefined
          this.#last = lastAnswer(answer)
          return answer
        } catch (error: unknown) {
          if (request.abortSignal?.aborted) throw error
          keepFromRetries(error)
          this.#error = error
          onPause()
          this.#pausing = setInterval(onPause, signOfLifeMs)
          throw error
        }
      },
      doStream: (request) => model.doStream(request),
    }
  }

  get last(): LastAnswer | undefined {
    return this.#last
  }

  /** Of the last try, while the SDK waits before the next one. */
  get error(): unknown {
    return this.#error
  }

  /** For how long the request under way has had no answer, in milliseconds. */
  get waitingMs(): number | undefined {
    return this.#askedAtMs === undefined ? undefined : performance.now() - this.#askedAtMs
  }

  /** Nothing waits any more. */
  [Symbol.dispose](): void {
    clearInterval(this.#pausing)
    this.#error = undefined
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
