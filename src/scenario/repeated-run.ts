import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import { sumUsage } from '../records/agent-usage.ts'
import { stepsOf, type Scenario, type Step } from '../spec/spec.ts'
import type { AfterFailure, Repeats } from '../spec/front-matter/front-matter.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { AcceptedRewrites } from './collect-rewrites.ts'
import { isPassable } from '../verdict/is-contained.ts'
import { isUnrepeatable } from './is-unrepeatable.ts'
import { isWorse, type LateFinding } from './summarize.ts'
import { rateStep } from './rate-step.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { SettledStep } from './settled-step.ts'

/** Counts over the runs of a scenario how often each step passed. */
class RunRates {
  readonly #repeats: Repeats
  #runs = 0
  /** By id of the step. */
  readonly #passed = new Map<string, number>()

  constructor(repeats: Repeats) {
    this.#repeats = repeats
  }

  /** One more run ended: gives its verdict with the rates up to now. */
  add({ steps, ...verdict }: ScenarioVerdict): ScenarioVerdict {
    this.#runs += 1
    const run = this.#runs
    return {
      ...verdict,
      repeat: { run, of: this.#repeats.runs, required: this.#repeats.required },
      steps: steps.map((step) => {
        const passed = (this.#passed.get(step.id) ?? 0) + (step.outcome === 'pass' ? 1 : 0)
        this.#passed.set(step.id, passed)
        return { ...step, passedRuns: passed }
      }),
    }
  }
}

type RunOptions = Pick<ScenarioInput, 'rate' | 'isRepetition'>

interface RepeatedRunOptions {
  readonly repeats: Repeats
  readonly scenario: Scenario
  readonly afterFailure: AfterFailure
  /** Ordinals of the steps that are reported. */
  readonly selected: ReadonlySet<number>
  /** Makes the next run; it shares nothing with the ones before. */
  startRun(more: RunOptions): ScenarioRun
}

/** What became of the reported steps in one run, by ordinal. */
type SettledRun = ReadonlyMap<number, SettledStep>

/** One attempt at a scenario that is run several times, one run after the other. Its first step waits for all of them. */
export class RepeatedRun {
  readonly #options: RepeatedRunOptions
  readonly #steps: readonly Step[]
  readonly #canceled = new AbortController()
  readonly #rates: RunRates
  #current: ScenarioRun | undefined
  #results: Promise<readonly SettledRun[]> | undefined
  /** Ordinal of the step with which the usage of all agents is reported. */
  #usageAt: number | undefined

  constructor(options: RepeatedRunOptions) {
    this.#options = options
    this.#rates = new RunRates(options.repeats)
    this.#steps = stepsOf(options.scenario).filter(({ ordinal }) => options.selected.has(ordinal))
  }

  get isWaiting(): boolean {
    return this.#current?.isWaiting ?? false
  }

  /** Makes all runs, once, and gives the verdict on the step from all of them. */
  async settle(ordinal: number, signal: AbortSignal): Promise<SettledStep> {
    signal.addEventListener('abort', () => this.#canceled.abort(), { once: true })
    if (signal.aborted) this.#canceled.abort()
    const results = await (this.#results ??= this.#runAll())
    const verdict = this.#verdicts(results).get(ordinal)
    if (verdict === undefined) return ofStep(results[0], ordinal)
    this.#usageAt ??= ordinal
    const settled = results.map((run) => ofStep(run, ordinal))
    const usages = results.flatMap((run) => [...run.values()].flatMap(({ usage }) => usage ?? []))
    const decisive = settled.find((one) => one.verdict.outcome === verdict.outcome && verdict.outcome !== 'pass')
    const { logFile, logText, images } = decisive ?? settled.at(-1) ?? {}
    const { rewritten = [], source } = settled.at(-1) ?? {}
    const passed = settled.filter((one) => one.verdict.outcome === 'pass').length
    const { required } = this.#options.repeats
    return {
      verdict,
      rewritten,
      ...(logFile !== undefined && { logFile }),
      ...(logText !== undefined && { logText }),
      ...(images && { images }),
      ...(source && verdict.outcome !== 'skipped' && { source }),
      ...(usages.length > 0 && this.#usageAt === ordinal && { usage: sumUsage(usages) }),
      ...(verdict.outcome !== 'skipped' && { rate: { passed, runs: settled.length, required } }),
    }
  }

  /** Those of the last run: earlier ones may have printed something else. */
  async acceptedRewrites(): Promise<AcceptedRewrites> {
    await this.finish()
    return this.#current?.acceptedRewrites() ?? new Map()
  }

  /** Each run is torn down before the next one; what came up late is in its verdicts. */
  async finish(): Promise<readonly LateFinding[]> {
    await this.#results?.catch(() => undefined)
    return []
  }

  async #runAll(): Promise<readonly SettledRun[]> {
    const done: SettledRun[] = []
    while (done.length === 0 || (done.length < this.#options.repeats.runs && !this.#canceled.signal.aborted)) {
      const rate = (verdict: ScenarioVerdict): ScenarioVerdict => this.#rates.add(verdict)
      const run = this.#options.startRun({ rate, isRepetition: done.length > 0 })
      this.#current = run
      const settled = await this.#settleAll(run)
      done.push(settled)
      if ([...settled.values()].some(isLasting)) break
    }
    return done
  }

  async #settleAll(run: ScenarioRun): Promise<SettledRun> {
    const { signal } = this.#canceled
    const settled = new Map<number, SettledStep>()
    try {
      for (const { ordinal } of this.#steps) settled.set(ordinal, await run.settle(ordinal, signal))
    } finally {
      await run.finish()
    }
    for (const [ordinal, before] of settled) {
      const { verdict } = await run.settle(ordinal, signal)
      if (isWorse(verdict, before.verdict)) settled.set(ordinal, { ...before, verdict })
    }
    return settled
  }

  #verdicts(results: readonly SettledRun[]): ReadonlyMap<number, Verdict> {
    const isSkipped = results.some((run) => [...run.values()].some(({ verdict }) => isSkippedByBlock(verdict)))
    const repeats = isSkipped ? { runs: 1, required: 1 } : this.#options.repeats
    let stop: Step | undefined
    const verdicts = new Map<number, Verdict>()
    for (const step of this.#steps) {
      const { ordinal } = step
      const inRuns = results.map((run) => ofStep(run, ordinal).verdict)
      const verdict = rateStep(inRuns, { repeats, stoppedBy: stop?.title })
      verdicts.set(ordinal, verdict)
      if (!isPassable(verdict) && this.#options.afterFailure === 'stop') stop ??= step
    }
    return verdicts
  }
}

/** A further run would meet the same again, and pay for it, or a block would skip it as well. */
function isLasting({ verdict }: SettledStep): boolean {
  return isUnrepeatable(verdict) || isSkippedByBlock(verdict)
}

/** Only in the first run: later ones would fail by it. */
function isSkippedByBlock({ outcome, reasons }: Verdict): boolean {
  return outcome === 'skipped' && reasons.some(({ code }) => code === 'SKIPPED_BY_BLOCK')
}

function ofStep(run: SettledRun | undefined, ordinal: number): SettledStep {
  return run?.get(ordinal) ?? { verdict: unknownStep, rewritten: [] }
}

const unknownStep: Verdict = {
  outcome: 'fail',
  reasons: [{ code: 'STEP_UNKNOWN', message: 'The scenario has no such step.' }],
}
