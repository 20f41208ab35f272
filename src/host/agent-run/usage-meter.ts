import type { AgentEvent } from '../../agents/agent.ts'
import type { Spent } from '../../records/agent-usage.ts'

/** Adds up what one agent uses, from its event stream. */
export class UsageMeter {
  readonly #requests = new Map<string, Extract<AgentEvent, { type: 'tokens' }>>()
  #total: Extract<AgentEvent, { type: 'usage' }> | undefined
  #model: string | undefined

  /** What is known so far; before the end it is too little rather than too much. */
  get spent(): Spent {
    const { costUsd, turns } = this.#total ?? {}
    return {
      ...(this.#total ? tokens(this.#total) : this.#sumOfRequests()),
      ...(costUsd !== undefined && { costUsd }),
      ...(turns !== undefined && { turns }),
      ...(this.#model !== undefined && { model: this.#model }),
    }
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'usage') this.#total = event
    if (event.type === 'tokens') this.#requests.set(event.id, event)
    if (event.type === 'opened') this.#model ??= event.model
  }

  #sumOfRequests(): Pick<Spent, 'inputTokens' | 'outputTokens'> {
    const sum = { inputTokens: 0, outputTokens: 0 }
    for (const { inputTokens, outputTokens } of this.#requests.values()) {
      sum.inputTokens += inputTokens
      sum.outputTokens += outputTokens
    }
    return sum
  }
}

function tokens({ inputTokens, outputTokens }: Spent): Pick<Spent, 'inputTokens' | 'outputTokens'> {
  return { inputTokens, outputTokens }
}
