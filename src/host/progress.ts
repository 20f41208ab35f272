import type { AgentEvent } from '../agents/agent.ts'
import type { AgentUsage } from '../shared/agent-usage.ts'
import { ownTools } from './is-activity.ts'

/** A scenario that an agent works on, as it is to be shown. */
export interface ScenarioAtWork {
  /** Unique in the run, whatever the attempt. */
  readonly id: number
  /** Absolute path of the spec. */
  readonly specFile: string
  readonly title: string
  /** Counted from 1. */
  readonly attempt: number
  readonly startedAtMs: number
  /** The last tool call the agent was seen to make, in one line or several; absent before the first. */
  readonly lastCall?: string
  /** What was used so far; absent where the agent has not said. */
  readonly spent?: Omit<AgentUsage, 'durationMs'>
}

/** The part of one scenario in the progress of the run. */
export interface ScenarioProgress {
  /** Something was read in the agent's stream. */
  take(event: AgentEvent): void
  /** The agent is gone. */
  end(): void
}

/** What the agents of a run are at, from their event streams. */
export class Progress {
  readonly #atWork = new Set<{ current: ScenarioAtWork }>()
  #count = 0

  /** Scenarios under way, longest first. */
  get atWork(): readonly ScenarioAtWork[] {
    return [...this.#atWork].map(({ current }) => current)
  }

  begin(scenario: Omit<ScenarioAtWork, 'id'>): ScenarioProgress {
    this.#count += 1
    const entry: { current: ScenarioAtWork } = { current: { ...scenario, id: this.#count } }
    this.#atWork.add(entry)
    return {
      take(event) {
        entry.current = { ...entry.current, ...seenIn(event) }
      },
      end: () => void this.#atWork.delete(entry),
    }
  }
}

function seenIn(event: AgentEvent): Partial<ScenarioAtWork> {
  if (event.type === 'tool-call') return event.tool.startsWith(ownTools) ? {} : { lastCall: event.title }
  if (event.type === 'usage') return { spent: event }
  return {}
}
