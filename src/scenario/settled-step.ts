import { readShortLog } from '../records/folders/log-file.ts'
import type { AgentUsage } from '../records/tokens-and-cost.ts'
import type { SpecLine, Step } from '../spec/spec.ts'
import type { StepSource } from '../records/step-source.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { AgentSession } from './agent-session.ts'
import type { Rate } from './rate-step.ts'
import type { ScenarioRecord } from './scenario-record.ts'
import type { ScenarioUpdates } from './scenario-updates.ts'

export interface SettledStep {
  readonly verdict: Verdict
  readonly logFile?: string
  /** Text of the result log, if it is short. Set for one step of the scenario only. */
  readonly logText?: string
  readonly images?: readonly string[]
  readonly rewritten: readonly SpecLine[]
  /** Usage of the whole scenario. Set for one step only, the first one after the agent's end. */
  readonly usage?: AgentUsage
  readonly rate?: Rate
  /** Absent for a skipped step and for a step without an agent. */
  readonly source?: StepSource
}

interface Sources {
  readonly steps: readonly Step[]
  readonly agent: AgentSession
  readonly record: ScenarioRecord
  readonly updates: ScenarioUpdates
}

export class SettledSteps {
  readonly #sources: Sources
  #usageAt: number | undefined
  #logAt: number | undefined

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Must be called in the order of the steps. */
  of(ordinal: number): SettledStep {
    const { steps, agent, record, updates } = this.#sources
    const { logFile } = agent
    const { usage } = agent.progress
    const verdict = record.verdictFor(ordinal)
    const step = steps.find((one) => one.ordinal === ordinal)
    const images = step === undefined ? [] : agent.imagesOf(step)
    const isOver = step === steps.at(-1) || verdict.outcome === 'fail' || verdict.outcome === 'blocked'
    if (usage !== undefined) this.#usageAt ??= ordinal
    // Show the log only when it is finished: until then, its status is `fail`.
    if (usage !== undefined && isOver) this.#logAt ??= ordinal
    return withoutUndefined<SettledStep>({
      verdict,
      rewritten: updates.drainUnreported(),
      logFile,
      logText: logFile !== undefined && this.#logAt === ordinal ? readShortLog(logFile) : undefined,
      images: images.length > 0 ? images : undefined,
      usage: this.#usageAt === ordinal ? usage : undefined,
      source: step && verdict.outcome !== 'skipped' ? record.sourceOf(step) : undefined,
    })
  }
}
