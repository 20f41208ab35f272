import type { AgentEvent } from '../../agents/agent.ts'
import { tokensOf, type Spent } from '../../records/tokens-and-cost.ts'
import { ownTools } from '../../agents/report-access.ts'

export interface ScenarioAtWork {
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

  get atWork(): readonly ScenarioAtWork[] {
    return [...this.#atWork].map(({ current }) => current)
  }

  begin(scenario: ScenarioAtWork, redact: (text: string) => string = (text) => text): ScenarioProgress {
    const entry = { current: scenario }
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
