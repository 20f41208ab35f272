import type { BlockOutcome } from '../records/block-outcome.ts'
import { assurances, outcomeOfRuns, type Outcome, summarizeOutcomes } from '../records/outcome.ts'
import type { ScenarioOutcome } from '../records/outcomes/outcome-files.ts'
import type { StepSource } from '../records/step-source.ts'
import type { RecordedStep, ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import { isLeftOut, lineOf, type Step } from '../spec/spec.ts'
import { evaluateScenario, isPassable, stopOf } from '../verdict/evaluate-scenario.ts'
import type { AgentEvidence, Reason, Reproduction, RuleName, ScenarioEvidence, Verdict } from '../verdict/verdict.ts'
import type { PlannedBlocks } from './plan-blocks.ts'
import type { ScenarioInput } from './scenario-input.ts'
import { withoutUndefined } from '../system/without-undefined.ts'

interface RecordOptions extends Pick<
  ScenarioInput,
  'selected' | 'settings' | 'afterFailure' | 'handedOver' | 'attempt' | 'isRepetition'
> {
  readonly steps: readonly Step[]
  readonly planned: PlannedBlocks
  readonly reproduce: Pick<Reproduction, 'isRequired'> | undefined
  readonly agent: { readonly evidence: AgentEvidence | undefined }
}

interface Known extends Pick<ScenarioEvidence, 'setup' | 'teardown' | 'isAfterAgents'> {
  readonly repeated?: Reproduction['steps']
}

interface StepRecord {
  blocks: readonly BlockOutcome[]
  settled?: Verdict
  durationMs: number
}

export class ScenarioRecord {
  readonly #options: RecordOptions
  readonly #steps: ReadonlyMap<Step, StepRecord>
  known: Known = { setup: [], teardown: [] }
  /** Ordinal of the last completed step; 0 before the first. */
  done = 0
  /** Cached verdicts. A change of the agent's evidence makes them invalid. */
  #kept: { readonly evidence: AgentEvidence | undefined; readonly verdicts: readonly Verdict[] } | undefined

  constructor(options: RecordOptions) {
    this.#options = options
    this.#steps = new Map(options.steps.map((step) => [step, { blocks: [], durationMs: 0 }]))
  }

  note(known: Partial<Known>): void {
    this.known = { ...this.known, ...known }
    this.#kept = undefined
  }

  add(step: Step, outcomes: readonly BlockOutcome[]): void {
    const record = this.#of(step)
    record.blocks = [...record.blocks, ...outcomes]
    this.#kept = undefined
  }

  complete(step: Step): void {
    this.done = step.ordinal
    this.#kept = undefined
  }

  settle(step: Step): void {
    this.#of(step).settled = this.verdictOn(step)
  }

  time(step: Step, durationMs: number): void {
    this.#of(step).durationMs = Math.round(durationMs)
  }

  verdictOn(step: Step): Verdict {
    return this.#verdicts()[this.#options.steps.indexOf(step)] ?? unknownStep
  }

  verdictWithout(step: Step, without: readonly RuleName[]): Verdict {
    return evaluateScenario(this.#evidence(), without)[this.#options.steps.indexOf(step)] ?? unknownStep
  }

  stopsAt(step: Step): boolean {
    const evidence = this.#evidence()
    const judged = evidence.steps[this.#options.steps.indexOf(step)]
    return judged === undefined || stopOf({ step: judged, evidence }, this.verdictOn(step)) !== undefined
  }

  /** The verdict for a step's test. An unselected step has no test, so later tests show its failure. */
  verdictFor(ordinal: number): Verdict {
    const { steps, selected } = this.#options
    const verdicts = this.#verdicts()
    const verdict = verdicts[ordinal - 1] ?? unknownStep
    if (isBad(verdict) || (verdict.outcome === 'skipped' && isPassable(verdict))) return verdict
    const before = steps.filter((step) => step.ordinal < ordinal && !selected.has(step.ordinal))
    const culprit = before.find((step) => isBad(verdicts[step.ordinal - 1]))
    if (culprit === undefined) return verdict
    const { reasons, outcome } = verdicts[culprit.ordinal - 1] ?? unknownStep
    const note = `Step "${culprit.title}" has to run before this one and did not pass.`
    return { outcome, reasons: reasons.map((reason) => ({ ...reason, message: `${note} ${reason.message}` })) }
  }

  sourceOf({ actor, replay }: Step): StepSource | undefined {
    if (replay !== undefined) return replay === 'current' ? { kind: 'replayed' } : undefined
    if (actor !== 'agent') return undefined
    const { handedOver } = this.#options
    return handedOver ? { kind: 'handed-over', reason: handedOver } : { kind: 'agent' }
  }

  verdict(): ScenarioVerdict {
    const steps = [...this.#steps].map(([step, { settled, durationMs }]) =>
      recordStep({ step, settled, final: this.verdictOn(step), source: this.sourceOf(step), durationMs }),
    )
    return { outcome: summarizeOutcomes(steps.map(({ outcome }) => outcome)), steps }
  }

  lateFindings(): readonly LateFinding[] {
    return [...this.#steps].flatMap(([step, { settled }]) =>
      settled === undefined ? [] : lateFindings(step, settled, this.verdictOn(step)),
    )
  }

  teardownFindings(): readonly LateFinding[] {
    return this.known.teardown
      .filter(({ status }) => status !== 'pass')
      .map((block) => ({ code: 'TEARDOWN_FAILED', message: block.message, ...lineOf(block) }))
  }

  #of(step: Step): StepRecord {
    return this.#steps.get(step) ?? { blocks: [], durationMs: 0 }
  }

  #verdicts(): readonly Verdict[] {
    const { evidence } = this.#options.agent
    if (this.#kept?.evidence !== evidence) this.#kept = undefined
    this.#kept ??= { evidence, verdicts: evaluateScenario(this.#evidence()) }
    return this.#kept.verdicts
  }

  #evidence(): ScenarioEvidence {
    const { planned, settings, afterFailure, attempt, isRepetition, handedOver, reproduce, agent } = this.#options
    const { policy, awaitedChange: change } = settings
    const { repeated, ...known } = this.known
    return {
      ...known,
      steps: [...this.#steps].map(([step, { blocks }]) => ({
        id: step.id,
        title: step.title,
        ...lineOf(step),
        actor: isLeftOut(step) ? 'todo' : step.actor,
        checks: step.checks,
        blocks,
        ...(step.replay && { replay: step.replay }),
        ...((step.directives.fails || change !== undefined) && { isExpectedToFail: true }),
        ...(change !== undefined && { change }),
        ...(step.ordinal <= this.done && { plannedBlocks: planned.of(step).length }),
      })),
      continuesAfterFailure: afterFailure === 'continue',
      isRetry: attempt > 1 || isRepetition === true,
      isDisputed: handedOver?.code === 'REPLAY_DIFFERS',
      policy,
      ...(reproduce && { reproduction: { isRequired: reproduce.isRequired, ...(repeated && { steps: repeated }) } }),
      ...(agent.evidence && { agent: agent.evidence }),
    }
  }
}

export const unknownStep: Verdict = {
  outcome: 'fail',
  reasons: [{ code: 'STEP_UNKNOWN', message: 'The scenario has no such step.' }],
}

function isBad(verdict: Verdict | undefined): boolean {
  return verdict?.outcome === 'fail' || verdict?.outcome === 'blocked'
}

interface EndedStep {
  readonly step: Step
  readonly settled: Verdict | undefined
  readonly final: Verdict
  readonly source?: StepSource | undefined
  readonly durationMs: number
}

/** The step's test has already shown the verdict `settled`. Only a worse final verdict replaces it. */
export function recordStep({ step, settled, final, source, durationMs }: EndedStep): RecordedStep {
  const verdict = settled === undefined || isWorse(final, settled) ? final : settled
  const { outcome, assurance, reasons, expected, change, unreproduced, executor } = verdict
  const { id, title } = step
  return {
    id,
    title,
    ...lineOf(step),
    outcome,
    ...withoutUndefined({ assurance, executor, change, unreproduced }),
    ...(source && outcome !== 'skipped' && { source }),
    reasons: [...reasons],
    ...(expected && { expected: [...expected] }),
    durationMs,
  }
}

export interface LateFinding extends Reason {
  readonly line: number
}

export function lateFindings(step: Step, settled: Verdict, final: Verdict): readonly LateFinding[] {
  if (!isWorse(final, settled)) return []
  return final.reasons.map(({ code, message, line, file }) => ({
    code,
    ...lineOf(line === undefined ? step : { line, file }),
    message: `After step "${step.title}" had been settled as \`${settled.outcome}\`: ${message}`,
  }))
}

export function isWorse(one: Pick<Verdict, 'outcome'>, other: Pick<Verdict, 'outcome'>): boolean {
  return ranks[one.outcome] > ranks[other.outcome]
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, skipped: 0, blocked: 1, fail: 2 }

/** Writes the outcome for coverage. @throws if writing fails and an older, outdated outcome stays */
export async function noteOutcome(
  { scenario, spec, root, settings: { logs }, host }: ScenarioInput,
  verdict: ScenarioVerdict | undefined,
  agent: AgentEvidence | undefined,
): Promise<void> {
  const { title, proves } = scenario
  if (proves === undefined) return
  const became = verdict === undefined ? { outcome: 'blocked' as const } : scenarioOutcome(verdict)
  const place = { specFile: spec.file, root, ...(logs.dir !== undefined && { dir: logs.dir }) }
  const ended = { scenario: title, ...became, ...(agent && { agent: agent.name }), proves }
  // In a read-only project, the tests run without coverage.
  await host.noteOutcome(place, ended).catch(async (error: unknown) => {
    const { readOutcome } = await import('../records/outcomes/outcome-files.ts')
    if (readOutcome(place, scenario)) throw error
  })
}

/** The outcome is the worst of all steps. A pass has the weakest assurance of all steps. */
function scenarioOutcome({ steps, repeat }: ScenarioVerdict): Pick<ScenarioOutcome, 'outcome' | 'assurance'> {
  // An expected failure is no evidence that the feature works, so coverage counts it as a failure.
  const outcome = summarizeOutcomes(
    steps.map((step) => (step.expected === undefined ? outcomeOfRuns(step, repeat) : 'fail')),
  )
  if (outcome !== 'pass') return { outcome }
  const assurance = assurances.find((each) => steps.some((step) => step.assurance === each))
  return { outcome, ...(assurance && { assurance }) }
}
