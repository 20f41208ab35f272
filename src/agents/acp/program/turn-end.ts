import { withResolvers } from '../../../system/with-resolvers.ts'
import { z } from 'zod'

const stateSchema = z.object({
  sessionUpdate: z.literal('state_update'),
  state: z.string(),
  stopReason: z.unknown().optional(),
  error: z.unknown().optional(),
})

/** How a turn ended: the message that tells it, and the error in it. */
interface End {
  readonly message: unknown
  readonly error?: unknown
}

/** Waits for the end of a turn of version 2. There it is a state of the session, and no answer to the prompt. */
export class TurnEnd {
  #isRunning = false
  readonly #ended = withResolvers<End>()

  get ended(): Promise<End> {
    return this.#ended.promise
  }

  /** `params.update` of one `session/update`. States are repeated: an end counts where work has begun since the prompt. */
  read(message: unknown): void {
    const { data: update } = stateSchema.safeParse(message)
    if (update === undefined) return
    const { state, stopReason, error } = update
    if (state === 'running' || state === 'requires_action') this.#isRunning = true
    if (state !== 'idle' || !this.#isRunning) return
    const isTold = stopReason === 'error' && typeof error === 'object' && error !== null
    this.#ended.resolve({ message, ...(isTold && { error }) })
  }
}
