import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { Direction, AgentProgress, StepTimeout } from '../protocol/protocol.ts'

/** One agent at work on one scenario. */
export interface AgentRun {
  /** Absolute path of the result log; absent where no agent was started. */
  readonly logFile?: string
  /** Absolute path of the folder for evidence, where an agent was started. */
  readonly evidenceDir?: string
  /** Fulfilled or rejected once the agent and all it started are gone. */
  readonly ended: Promise<unknown>
  /** Waits for the next report, each once, or the end. An agent that reports nothing within the limit is ended. */
  awaitStep(limit?: StepTimeout): Promise<AgentProgress>
  /** Answers the last report. */
  direct(direction: Direction): void
  /** After the end: the verdict, to be written down. */
  finish(verdict: ScenarioVerdict): Promise<void>
}
