import { sumUsage } from '../records/tokens-and-cost.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import type { AfterFailure, Repeats } from '../spec/front-matter/front-matter.ts'
import { stepsOf, type Step } from '../spec/spec.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import { isPassable } from '../verdict/evaluate-scenario.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { ScenarioInput } from './scenario-input.ts'
import { isUnrepeatable, rateStep } from './rate-step.ts'
import { isWorse, unknownStep, type LateFinding } from './scenario-record.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { AcceptedRewrites } from './scenario-updates.ts'
import type { SettledStep } from './settled-step.ts'

interface RepeatedRunOptions extends Pick<ScenarioInput, 'scenario' | 'selected'> {
  readonly repeats: Repeats
  readonly afterFailure: AfterFailure
  startRun(more: Pick<ScenarioInput, 'rate' | 'isRepetition'>): ScenarioRun
}

type SettledRun = ReadonlyMap<number, SettledStep>

/** One attempt at a scenario with several runs, one after the other. The first step waits for all of them. */
export class RepeatedRun {
  readonly #options: RepeatedRunOptions
  readonly #steps: readonly Step[]
  readonly #canceled = new AbortController()
  readonly #passed = new Map<string, number>()
  #current: ScenarioRun | undefined
  #results: Promise<readonly SettledRun[]> | undefined
  #usageAt: number | undefined

  constructor(options: RepeatedRunOptions) {
    this.#options = options
    this.#steps = stepsOf(options.scenario).filter(({ ordinal }) => options.selected.has(ordinal))
  }

  get isWaiting(): boolean {
    return this.#current?.isWaiting ?? false
  }

  async settle(ordinal: number, signal: AbortSignal): Promise<SettledStep> {
    signal.addEventListener('abort', () => this.#canceled.abort(), { once: true })
    if (signal.aborted) this.#canceled.abort()
    const results = await (this.#results ??= this.#runAll())
    const verdict = this.#verdicts(results).get(ordinal) ?? unknownStep
    this.#usageAt ??= ordinal
    const settled = results.map((run) => ofStep(run, ordinal))
    const usages = results.flatMap((run) => [...run.values()].flatMap(({ usage }) => usage ?? []))
    const decisive = settled.find((one) => one.verdict.outcome === verdict.outcome && verdict.outcome !== 'pass')
    const { logFile, logText, images } = decisive ?? settled.at(-1) ?? {}
    const { rewritten = [], source } = settled.at(-1) ?? {}
    const passed = settled.filter((one) => one.verdict.outcome === 'pass').length
    const { required } = this.#options.repeats
    const isSkipped = verdict.outcome === 'skipped'
    return withoutUndefined<SettledStep>({
      verdict,
      rewritten,
      logFile,
      logText,
      images,
      source: isSkipped ? undefined : source,
      usage: usages.length > 0 && this.#usageAt === ordinal ? sumUsage(usages) : undefined,
      rate: isSkipped ? undefined : { passed, runs: settled.length, required },
    })
  }

  /** Rewrites of the last run only, because earlier runs may have printed something else. */
  async acceptedRewrites(): Promise<AcceptedRewrites> {
    await this.finish()
    return this.#current?.acceptedRewrites() ?? new Map()
  }

  /** Waits for all runs. There are no late findings, because each run has a teardown before its verdicts are final. */
  async finish(): Promise<readonly LateFinding[]> {
    await this.#results?.catch(() => undefined)
    return []
  }

  async #runAll(): Promise<readonly SettledRun[]> {
    const done: SettledRun[] = []
    while (done.length === 0 || (done.length < this.#options.repeats.runs && !this.#canceled.signal.aborted)) {
      const rate = (verdict: ScenarioVerdict): ScenarioVerdict => this.#rated(verdict, done.length + 1)
      const run = this.#options.startRun({ rate, isRepetition: done.length > 0 })
      this.#current = run
      const settled = await this.#settleAll(run)
      done.push(settled)
      // Stop if each further run would also be blocked or skipped.
      if ([...settled.values()].some(({ verdict }) => isUnrepeatable(verdict) || isSkippedByBlock(verdict))) break
    }
    return done
  }

  #rated({ steps, ...verdict }: ScenarioVerdict, run: number): ScenarioVerdict {
    const { runs: of, required } = this.#options.repeats
    for (const { id, outcome } of steps)
      this.#passed.set(id, (this.#passed.get(id) ?? 0) + (outcome === 'pass' ? 1 : 0))
    return {
      ...verdict,
      repeat: { run, of, required },
      steps: steps.map((step) => ({ ...step, passedRuns: this.#passed.get(step.id) ?? 0 })),
    }
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

/** Whether a block skipped the step. This can happen in the first run only: later, such a block fails. */
function isSkippedByBlock({ outcome, reasons }: Verdict): boolean {
  return outcome === 'skipped' && reasons.some(({ code }) => code === 'SKIPPED_BY_BLOCK')
}

function ofStep(run: SettledRun | undefined, ordinal: number): SettledStep {
  return run?.get(ordinal) ?? { verdict: unknownStep, rewritten: [] }
}
