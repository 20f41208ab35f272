import type { CommandEnd } from '../../system/process/command.ts'
import type { AgentEnding } from '../../verdict/verdict.ts'
import type { StepTimeout } from '../protocol/protocol.ts'
import type { BudgetWatch } from './budget.ts'

export class AgentLimits {
  readonly signal: AbortSignal
  readonly #name: string
  readonly #budget: Pick<BudgetWatch, 'signal' | 'overrunMessage'>
  readonly #interruption: AbortSignal
  readonly #over = new AbortController()
  #ending: AgentEnding | undefined
  #closingTimer: NodeJS.Timeout | undefined

  constructor(name: string, budget: Pick<BudgetWatch, 'signal' | 'overrunMessage'>, interruption: AbortSignal) {
    this.#name = name
    this.#budget = budget
    this.#interruption = interruption
    this.signal = AbortSignal.any([interruption, budget.signal, this.#over.signal])
  }

  beginStep({ limitMs, leftMs, step }: StepTimeout): () => void {
    const timer = setTimeout(() => this.#end({ kind: 'step-timeout', limitMs, step }), leftMs)
    return () => clearTimeout(timer)
  }

  get isClosing(): boolean {
    return this.#closingTimer !== undefined
  }

  /** Call when the agent is done. Kills an agent that still runs after `ms`, without effect on the verdict. */
  closeAfter(ms = 60_000): void {
    this.close()
    this.#closingTimer = setTimeout(() => this.#end({ kind: 'killed', signal: 'SIGTERM', isOurs: true }), ms).unref()
  }

  close(): void {
    clearTimeout(this.#closingTimer)
    this.#closingTimer = undefined
  }

  endingOf(end: CommandEnd): AgentEnding {
    const { overrunMessage } = this.#budget
    if (overrunMessage !== undefined) {
      const message = `The agent \`${this.#name}\` is over budget: ${overrunMessage}`
      return { kind: 'stopped', code: 'AGENT_BUDGET', message }
    }
    return (end.reason === 'canceled' && !this.#interruption.aborted && this.#ending) || endingOf(end)
  }

  #end(ending: AgentEnding): void {
    this.#ending ??= ending
    this.#over.abort()
  }
}

function endingOf(end: CommandEnd): AgentEnding {
  switch (end.reason) {
    case 'exit':
      return { kind: 'exited', exitCode: end.exitCode }
    case 'signal':
      return { kind: 'killed', signal: end.signal }
    case 'hard-timeout':
    case 'silence-timeout':
      return { kind: end.reason, limitMs: end.limitMs }
    case 'canceled':
      return { kind: 'canceled' }
    case 'spawn-failed':
      return { kind: 'not-ready', code: 'AGENT_NOT_FOUND', message: end.error.message }
    case 'lost':
      return { kind: 'stopped', code: 'AGENT_CRASHED', message: end.error.message }
  }
}
