import type { GuardedFiles } from '../guard/guarded-places.ts'
import type { AgentUsage, Spent } from '../../records/agent-usage.ts'

/** What all agents of a run used. */
export interface RunUsage extends Pick<AgentUsage, 'inputTokens' | 'outputTokens'> {
  /** Scenarios that an agent was started for. */
  readonly scenarios: number
  /** Agents that were started. Retries make them more than scenarios. */
  readonly agents: number
  /** In US dollars, of the agents that tell their cost; absent where none does. */
  readonly costUsd?: number
  /** Agents that do not tell their cost. */
  readonly withoutCost: number
  /** Absent where no agent was to begin. */
  readonly guarded?: GuardedFiles
}

/** The part of one agent in the spending of its run. */
export interface Account {
  /** What the agent has used so far. Replaces what was written before. */
  write(spent: Spent): void
}

/** Adds up what all agents of one run use. */
export class Spending {
  #accounts: { readonly scenario: string; spent: Spent }[] = []

  /** Another run begins. */
  reset(): void {
    this.#accounts = []
  }

  /** @param scenario names it within the run, whatever the attempt */
  open(scenario: string): Account {
    const entry = { scenario, spent: { inputTokens: 0, outputTokens: 0 } }
    this.#accounts.push(entry)
    return {
      write(spent) {
        entry.spent = spent
      },
    }
  }

  get total(): RunUsage {
    const all = this.#accounts.map(({ spent }) => spent)
    const costs = all.flatMap(({ costUsd }) => costUsd ?? [])
    return {
      scenarios: new Set(this.#accounts.map(({ scenario }) => scenario)).size,
      agents: all.length,
      inputTokens: sum(all.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(all.map(({ outputTokens }) => outputTokens)),
      ...(costs.length > 0 && { costUsd: sum(costs) }),
      withoutCost: all.length - costs.length,
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
