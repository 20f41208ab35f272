import type { AgentEvent } from '../../agents/agent.ts'
import { tokensOf, type Spent } from '../../records/tokens-and-cost.ts'
import { ownTools } from '../../agents/report-access.ts'

export interface ScenarioAtWork {
  /** Unique in the run: each attempt has its own id. */
  readonly id: number
  readonly specFile: string
  readonly title: string
  readonly attempt: number
  readonly startedAtMs: number
  readonly lastCall?: string
  readonly spent?: Spent
}

export interface ScenarioProgress {
  onEvent(event: AgentEvent): void
  spend(spent: Spent): void
  end(): void
}

export class Progress {
  readonly #atWork = new Set<{ current: ScenarioAtWork }>()
  #count = 0

  get atWork(): readonly ScenarioAtWork[] {
    return [...this.#atWork].map(({ current }) => current)
  }

  begin(scenario: Omit<ScenarioAtWork, 'id'>, redact: (text: string) => string = (text) => text): ScenarioProgress {
    this.#count += 1
    const entry: { current: ScenarioAtWork } = { current: { ...scenario, id: this.#count } }
    this.#atWork.add(entry)
    return {
      onEvent(event) {
        if (event.type !== 'tool-call' || event.tool.startsWith(ownTools)) return
        entry.current = { ...entry.current, lastCall: redact(event.title) }
      },
      spend(spent) {
        if (tokensOf(spent) > 0) entry.current = { ...entry.current, spent }
      },
      end: () => void this.#atWork.delete(entry),
    }
  }
}
