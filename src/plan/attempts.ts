import { repeatsIn, type SpecSettings } from './options/spec-settings.ts'
import type { AcceptedRewrites } from '../scenario/collect-rewrites.ts'
import { isUnrepeatable } from '../scenario/is-unrepeatable.ts'
import type { LateFinding } from '../scenario/summarize.ts'
import { RepeatedRun } from '../scenario/repeated-run.ts'
import type { ScenarioInput } from '../scenario/scenario-input.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import type { SettledStep } from '../scenario/settled-step.ts'
import type { Scenario } from '../spec/spec.ts'
import { withinDeadline, scenarioTimeoutMs } from './scenario-timeout.ts'
/** Starts one run of a scenario. */
export type StartRun = (input: Pick<ScenarioInput, 'attempt' | 'rate' | 'isRepetition'>) => ScenarioRun

/** A step whose test is running. */
interface TriedStep {
  readonly scenario: Scenario
  readonly ordinal: number
  /** The step was tried before, and its verdict is not accepted. */
  readonly isRetry: boolean
  /** Ordinals of the steps that are reported. */
  readonly selected: ReadonlySet<number>
  readonly signal: AbortSignal
}

interface Attempt {
  readonly run: Pick<ScenarioRun, 'isWaiting' | 'settle' | 'finish' | 'acceptedRewrites'>
  /** Counted from 1. */
  readonly number: number
  /** Another attempt would be blocked for the same reason. */
  isFinal: boolean
}

/** The attempts at the scenarios of one spec: one at a time for each. */
export class Attempts {
  readonly #settings: SpecSettings
  readonly #byScenario = new Map<number, Attempt>()

  constructor(settings: SpecSettings) {
    this.#settings = settings
  }

  /**
   * Settles a step. A retry of any step is a new attempt at the whole scenario: tear-down, fresh directory, set-up, new
   * agent. Where that cannot help, the step gets the verdict that it has.
   */
  async settle(step: TriedStep, startRun: StartRun): Promise<SettledStep> {
    const { scenario, ordinal, isRetry, signal } = step
    const earlier = this.#byScenario.get(scenario.ordinal)
    const isSame = earlier !== undefined && (!isRetry || earlier.isFinal)
    const attempt = isSame ? earlier : this.#start(step, { number: (earlier?.number ?? 0) + 1, startRun })
    this.#byScenario.set(scenario.ordinal, attempt)
    if (attempt !== earlier) await earlier?.run.finish()
    const limits = {
      limitMs: scenarioTimeoutMs(scenario, this.#settings),
      isWaiting: () => attempt.run.isWaiting,
    }
    const settled = await withinDeadline(limits, (over) => attempt.run.settle(ordinal, AbortSignal.any([signal, over])))
    attempt.isFinal ||= isUnrepeatable(settled.verdict)
    const { usage, ...known } = settled
    // What the agent of the same attempt used was told with the try before.
    return usage === undefined || (isSame && isRetry) ? known : settled
  }

  /** Ends a scenario; what no step has shown. */
  async finish(scenarioOrdinal: number): Promise<readonly LateFinding[]> {
    return (await this.#byScenario.get(scenarioOrdinal)?.run.finish()) ?? []
  }

  /** What passed on the strength of output that is yet to be rewritten, of each scenario. */
  acceptedRewrites(): Promise<readonly AcceptedRewrites[]> {
    return Promise.all([...this.#byScenario.values()].map(({ run }) => run.acceptedRewrites()))
  }

  #start(
    { scenario, selected }: TriedStep,
    { number, startRun }: { readonly number: number; readonly startRun: StartRun },
  ): Attempt {
    const startOne = (more: Pick<ScenarioInput, 'rate' | 'isRepetition'>): ScenarioRun =>
      startRun({ attempt: number, ...more })
    const repeats = repeatsIn(scenario, this.#settings)
    const run =
      repeats.runs === 1
        ? startOne({})
        : new RepeatedRun({ repeats, rows: this.#settings.rows, scenario, selected, startRun: startOne })
    return { run, number, isFinal: false }
  }
}
