import type { AgentEvent } from './agent.ts'

/** What one call of an agent used. */
export interface CallUsage {
  readonly sessionId?: string
  /** What the whole session has cost so far; absent where the program does not say. */
  readonly sessionCostUsd?: number
  /** Whether the program said so at its end. One that was ended earlier may have cost more. */
  readonly isCostTold: boolean
  /** Tokens of the last request over the model's window, 0 to 1; null where not both are known. */
  readonly contextUtilization: number | null
}

const maxTextLength = 200_000

/** What an agent said, or its transcript. Only the end of its words can hold the answer. */
export class AgentTranscript {
  #answer: unknown
  #text = ''
  #lastTokens: number | undefined
  #window: number | undefined
  #costUsd: number | undefined
  #sessionId: string | undefined
  #error: Extract<AgentEvent, { type: 'error' }> | undefined

  onEvent(event: AgentEvent): void {
    if (event.type === 'answer') this.#answer = event.value
    if (event.type === 'text') this.#text = event.text
    if (event.type === 'opened') this.#sessionId = event.sessionId ?? this.#sessionId
    if (event.type === 'tokens') this.#takeTokens(event)
    if (event.type === 'usage') {
      this.#costUsd = event.costUsd
      this.#window = event.contextWindow ?? this.#window
    }
    if (event.type === 'error') this.#error = event
  }

  /** A line of a program that has no events. */
  onText(line: string): void {
    this.#text = `${this.#text}${line}\n`.slice(-maxTextLength)
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  /** The last one. */
  get error(): Extract<AgentEvent, { type: 'error' }> | undefined {
    return this.#error
  }

  get answer(): unknown {
    return this.#answer ?? lastObjectIn(this.#text)
  }

  /** Whether nothing is left to be looked up. */
  get isComplete(): boolean {
    return this.#costUsd !== undefined && this.#lastTokens !== undefined && this.#window !== undefined
  }

  /** @param kept what the program's transcript of the session says */
  usageWith(kept: AgentTranscript = new AgentTranscript()): CallUsage {
    const tokens = this.#lastTokens ?? kept.#lastTokens ?? Number.NaN
    const utilization = tokens / (this.#window ?? kept.#window ?? Number.NaN)
    const costUsd = this.#costUsd ?? kept.#costUsd
    return {
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(costUsd !== undefined && { sessionCostUsd: costUsd }),
      isCostTold: this.#costUsd !== undefined,
      contextUtilization: Number.isFinite(utilization) ? Math.min(1, utilization) : null,
    }
  }

  /** A request that failed has none; those of an agent's helpers are in windows of their own. */
  #takeTokens({ inputTokens, outputTokens, isOfHelper }: Extract<AgentEvent, { type: 'tokens' }>): void {
    if (inputTokens + outputTokens === 0) return
    if (isOfHelper !== true) this.#lastTokens = inputTokens + outputTokens
    // A cost that was told before is that of an earlier turn.
    this.#costUsd = undefined
  }
}

/** The last JSON object that stands by itself in a text, also within a fence or after other words. */
function lastObjectIn(text: string): unknown {
  const end = text.lastIndexOf('}')
  let start = text.lastIndexOf('{', end)
  let found: unknown
  // Each opening brace before the last closing one, from the inside out: the outermost that parses is the answer.
  for (let tries = 0; start >= 0 && tries < maxBraces; tries += 1) {
    found = parseObject(text.slice(start, end + 1)) ?? found
    start = start === 0 ? -1 : text.lastIndexOf('{', start - 1)
  }
  return found
}

const maxBraces = 500

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not this brace.
  }
}
