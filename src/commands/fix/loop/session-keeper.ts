import type { CallUsage } from '../../../agents/agent-transcript.ts'
import type { CliAgent } from '../../../agents/agent.ts'
import type { Checkpoints } from '../../attempt/checkpoints/checkpoints.ts'
import { type FixResult, nextAction } from './next-action.ts'
import type { FinishedAct } from '../session/finished-acts.ts'
import { type Progress, progressOf } from '../session/session-progress.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { McpServers } from '../../../spec/front-matter/front-matter.ts'
import type { ProgramContext } from '../../../system/process/run-command.ts'

export interface FixTools extends ProgramContext {
  readonly allow: readonly string[]
  /** MCP servers for all agents. They are not saved with the session, because they may contain secrets. */
  readonly mcpServers: McpServers
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly program: readonly string[]
  /** Pause before the next request to the provider. `times`: how often it refused in a row, from 1 */
  readonly waitMs: (times: number) => number
  readonly say: (line: string) => void
}

export interface Loop extends FixTools {
  readonly store: SessionStore
  readonly checkpoints: Checkpoints
  readonly keeper: SessionKeeper
  /** Finds the agent. @throws MdtestError if there is none */
  readonly agent: () => CliAgent
}

export interface ActContext extends Loop {
  readonly state: SessionState
  readonly progress: Progress
}

export interface Spent extends Pick<CallUsage, 'sessionId' | 'sessionCostUsd' | 'isCostTold'> {
  readonly call: string
}

type KeeperParts = Pick<FixTools, 'now'> & { readonly store: Pick<SessionStore, 'saveState'> }

/** Holds the state of a running session. Saves the state when an act begins and when it is finished. */
export class SessionKeeper {
  #state: SessionState
  readonly #parts: KeeperParts
  readonly #startMs: number
  readonly #usedMs: number

  constructor(initial: SessionState, parts: KeeperParts) {
    this.#state = initial
    this.#parts = parts
    this.#usedMs = initial.elapsed_ms
    this.#startMs = parts.now().getTime()
  }

  get state(): SessionState {
    return this.#state
  }

  current(): SessionState {
    const passedMs = Math.max(0, this.#parts.now().getTime() - this.#startMs)
    return { ...this.#state, elapsed_ms: this.#usedMs + passedMs }
  }

  /** Saves the run mark before any program starts. A later mdtest can then find leftover processes. */
  open(): void {
    this.#save({})
  }

  begin(kind: string, checkpoint: string | null): void {
    this.#save({ act: { kind, checkpoint }, next_action: kind, result: null, reason: null })
  }

  finish(act: FinishedAct): void {
    this.#change({ history: [...this.#state.history, act], act: null })
    this.#save(savedFacts(this.#state))
  }

  end(result: FixResult, reason: string): void {
    this.#save({ act: null, next_action: 'stop', result, reason })
  }

  /** Ends the session with an error. The state keeps the unfinished act, so that a resumed session undoes it. */
  fail(reason: string): void {
    this.#save({ next_action: 'stop', result: 'error', reason })
  }

  /** Adds the cost of a call and returns it; `null` if unknown. The next `finish` saves the sum. */
  spend(used: Spent): number | null {
    const { costUsd, ...changed } = spend(used, this.#state)
    this.#change(changed)
    return costUsd
  }

  keepAgentSession(id: string | null): void {
    this.#change({ agent_session_id: id })
  }

  addSummary(text: string, reason: 'stuck' | 'context'): void {
    const { state } = this.#state
    const [version, created_at] = [state.summaries.length + 1, this.#parts.now().toISOString()]
    this.#change({ state: { ...state, summaries: [...state.summaries, { version, text, created_at, reason }] } })
  }

  #change(changed: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changed }
  }

  #save(changed: Partial<SessionState>): void {
    this.#state = { ...this.current(), ...changed, updated_at: this.#parts.now().toISOString() }
    this.#parts.store.saveState(this.#state)
  }
}

function savedFacts(state: SessionState): Pick<SessionState, 'state' | 'next_action' | 'failing'> {
  const { accepted, attempts, session, runs } = progressOf(state.history)
  const known = accepted ?? runs.at(-1)
  return {
    next_action: nextAction(state).kind,
    failing: [...(known?.failing ?? [])],
    state: {
      ...state.state,
      total_tests: known?.total ?? state.state.total_tests,
      failing_tests: known?.failing.length ?? state.state.failing_tests,
      previous_attempts: attempts,
      context_utilization: session.contextUtilization,
    },
  }
}

type Costs = Pick<SessionState, 'cost_usd' | 'session_costs_usd' | 'calls_without_cost'>

/** `sessionCostUsd` is the total of the agent's session. The returned `costUsd` is the share of this call. */
export function spend(used: Spent, costs: Costs): Costs & { readonly costUsd: number | null } {
  const { call, sessionId = call, sessionCostUsd, isCostTold } = used
  const before = costs.session_costs_usd[sessionId] ?? 0
  // After an interrupted call, a total that did not grow is ignored: the last request may be missing in it.
  const isKnown = sessionCostUsd !== undefined && (isCostTold || sessionCostUsd > before)
  const bySession = isKnown
    ? { ...costs.session_costs_usd, [sessionId]: Math.max(before, sessionCostUsd) }
    : costs.session_costs_usd
  const untold = isCostTold ? costs.calls_without_cost : [...new Set([...costs.calls_without_cost, call])]
  const known = Object.values(bySession)
  return {
    ...{ session_costs_usd: bySession, calls_without_cost: untold },
    cost_usd: known.length === 0 && untold.length > 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    costUsd: isKnown ? Math.max(0, sessionCostUsd - before) : null,
  }
}
