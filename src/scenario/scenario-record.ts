import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import { lineOf, type Step } from '../spec/spec.ts'
import { evaluateScenario, type EvaluationOptions, isContained, isPassable } from '../verdict/evaluate-scenario.ts'
import type { AgentEvidence, EvidencePolicy, Reproduction, ScenarioEvidence, Verdict } from '../verdict/verdict.ts'
import { summarize, lateFindings, type LateFinding } from './summarize.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { StepSource } from '../records/step-source.ts'
import { isLeftOut, type PlannedBlocks } from './plan-blocks.ts'

interface RecordOptions {
  readonly steps: readonly Step[]
  readonly selected: ReadonlySet<number>
  readonly planned: PlannedBlocks
  readonly continuesAfterFailure: boolean
  readonly policy: EvidencePolicy
  /** Until which its steps are expected to fail; absent where they are not. */
  readonly change?: string | undefined
  readonly handedOver?: RecordedReason | undefined
  readonly isRetry: boolean
  readonly reproduction?: Pick<Reproduction, 'isRequired'> | undefined
  readonly agent: { readonly evidence: AgentEvidence | undefined }
}

/** What became of a scenario so far, and the verdicts that follow from it. */
export class ScenarioRecord {
  readonly #options: RecordOptions
  #setup: readonly BlockOutcome[] = []
  #teardown: readonly BlockOutcome[] = []
  #isAfterAgents = false
  #repeated: Reproduction['steps']
  #done = 0
  readonly #outcomes = new Map<Step, readonly BlockOutcome[]>()
  readonly #settled = new Map<Step, Verdict>()
  readonly #durations = new Map<Step, number>()

  constructor(options: RecordOptions) {
    this.#options = options
  }

  get setup(): readonly BlockOutcome[] {
    return this.#setup
  }

  get teardown(): readonly BlockOutcome[] {
    return this.#teardown
  }

  /** Ordinal of the last step that is through; 0 before the first. */
  get done(): number {
    return this.#done
  }

  addSetup(outcomes: readonly BlockOutcome[]): void {
    this.#setup = outcomes
  }

  addTeardown(outcomes: readonly BlockOutcome[]): void {
    this.#teardown = outcomes
  }

  addReproduction(steps: NonNullable<Reproduction['steps']>): void {
    this.#repeated = steps
  }

  /** An agent of the run had been started when a block asked for a skip. */
  noteEarlierAgents(): void {
    this.#isAfterAgents = true
  }

  complete(step: Step): void {
    this.#done = step.ordinal
  }

  add(step: Step, outcomes: readonly BlockOutcome[]): void {
    this.#outcomes.set(step, [...this.#outcomesOf(step), ...outcomes])
  }

  settle(step: Step): void {
    this.#settled.set(step, this.verdictOn(step))
  }

  time(step: Step, durationMs: number): void {
    this.#durations.set(step, Math.round(durationMs))
  }

  verdictOn(step: Step, options?: EvaluationOptions): Verdict {
    return this.#verdicts(options)[this.#options.steps.indexOf(step)] ?? unknownStep
  }

  /** Whether nothing may follow the step. */
  stopsAt(step: Step): boolean {
    const verdict = this.verdictOn(step)
    if (isPassable(verdict)) return false
    const blocks = this.#outcomesOf(step)
    return !this.#options.continuesAfterFailure || !isContained({ actor: step.actor, blocks }, verdict)
  }

  /**
   * The verdict that the test of a step shows. A filter reports a step without those before it, which have to run first.
   * Where one of them fails, the reported step fails in its place: else the run would be green.
   */
  verdictFor(ordinal: number): Verdict {
    const { steps, selected } = this.#options
    const verdicts = this.#verdicts()
    const verdict = verdicts[ordinal - 1] ?? unknownStep
    const isOfDirective = verdict.outcome === 'skipped' && isPassable(verdict)
    if (isOfDirective || isBad(verdict)) return verdict
    const before = steps.filter((step) => step.ordinal < ordinal && !selected.has(step.ordinal))
    const culprit = before.find((step) => isBad(verdicts[step.ordinal - 1]))
    if (culprit === undefined) return verdict
    const { reasons, outcome } = verdicts[culprit.ordinal - 1] ?? unknownStep
    const note = `Step "${culprit.title}" has to run before this one and did not pass.`
    return { outcome, reasons: reasons.map((reason) => ({ ...reason, message: `${note} ${reason.message}` })) }
  }

  /** Who carries out a step; nobody but mdtest where it is all blocks, and nobody at all where it is skipped. */
  sourceOf(ordinal: number, { outcome }: Verdict): StepSource | undefined {
    const step = this.#options.steps[ordinal - 1]
    return step && outcome !== 'skipped' ? this.#sourceOf(step) : undefined
  }

  verdict(): ScenarioVerdict {
    const verdicts = this.#verdicts()
    const ended = this.#options.steps.map((step, index) => ({
      step,
      settled: this.#settled.get(step),
      final: verdicts[index] ?? unknownStep,
      source: this.#sourceOf(step),
      durationMs: this.#durations.get(step) ?? 0,
    }))
    return summarize(ended)
  }

  lateFindings(): readonly LateFinding[] {
    const verdicts = this.#verdicts()
    return [...this.#settled].flatMap(([step, settled]) =>
      lateFindings(step, settled, verdicts[step.ordinal - 1] ?? unknownStep),
    )
  }

  teardownFindings(): readonly LateFinding[] {
    return this.#teardown
      .filter(({ status }) => status !== 'pass')
      .map((block) => ({ code: 'TEARDOWN_FAILED', message: block.message, ...lineOf(block) }))
  }

  #sourceOf({ actor, replay }: Step): StepSource | undefined {
    if (replay !== undefined) return replay === 'current' ? { kind: 'replayed' } : undefined
    if (actor !== 'agent') return undefined
    const { handedOver } = this.#options
    return handedOver ? { kind: 'handed-over', reason: handedOver } : { kind: 'agent' }
  }

  #verdicts(options?: EvaluationOptions): readonly Verdict[] {
    return evaluateScenario(this.#evidence(), options)
  }

  #evidence(): ScenarioEvidence {
    const { steps, planned, policy, change, isRetry, agent, continuesAfterFailure, handedOver, reproduction } =
      this.#options
    const repeated = this.#repeated && { steps: this.#repeated }
    return {
      steps: steps.map((step) => ({
        id: step.id,
        title: step.title,
        ...lineOf(step),
        actor: isLeftOut(step) ? 'todo' : step.actor,
        checks: step.checks,
        blocks: this.#outcomesOf(step),
        isAsked: true,
        ...(step.replay && { replay: step.replay }),
        ...((step.directives.fails || change !== undefined) && { isExpectedToFail: true }),
        ...(change !== undefined && { change }),
        ...(step.ordinal <= this.#done && { plannedBlocks: planned.of(step).length }),
      })),
      setup: this.#setup,
      teardown: this.#teardown,
      continuesAfterFailure,
      isRetry,
      isDisputed: handedOver?.code === 'REPLAY_DIFFERS',
      isAfterAgents: this.#isAfterAgents,
      policy,
      ...(reproduction && { reproduction: { ...reproduction, ...repeated } }),
      ...(agent.evidence && { agent: agent.evidence }),
    }
  }

  #outcomesOf(step: Step): readonly BlockOutcome[] {
    return this.#outcomes.get(step) ?? []
  }
}

const unknownStep: Verdict = {
  outcome: 'fail',
  reasons: [{ code: 'STEP_UNKNOWN', message: 'The scenario has no such step.' }],
}

function isBad(verdict: Verdict | undefined): boolean {
  return verdict?.outcome === 'fail' || verdict?.outcome === 'blocked'
}
