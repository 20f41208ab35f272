import { repeatsIn, type SpecSettings } from './options/spec-settings.ts'
import type { AcceptedRewrites } from '../scenario/scenario-updates.ts'
import type { LateFinding } from '../scenario/scenario-record.ts'
import { isUnrepeatable } from '../scenario/rate-step.ts'
import { RepeatedRun } from '../scenario/repeated-run.ts'
import type { ScenarioRecording } from '../recordings/record-scenario.ts'
import type { Repeater, ScenarioInput } from '../scenario/scenario-input.ts'
import { ScenarioRun } from '../scenario/scenario-run.ts'
import type { SettledStep } from '../scenario/settled-step.ts'
import { stepsOf, type Scenario } from '../spec/spec.ts'
import { isWeaker } from '../records/outcome.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { Reason, ReasonCode } from '../verdict/verdict.ts'
import type { StepAddress } from './describe-failure.ts'
import type { Plan } from './plan.ts'
import type { EndedRun, RepeatRun, StartRun } from './recordings/record-run.ts'
import type { ReplayPlan } from './recordings/replay.ts'
import { isWholeRun } from '../scenario/plan-blocks.ts'
import { withinDeadline, scenarioTimeoutMs } from './scenario-timeout.ts'
import { isCi } from '../system/is-ci.ts'

export interface RecordableRun {
  readonly ordinal: number
  readonly run: ScenarioRun
  readonly startRun: StartRun
  readonly made?: ScenarioRecording | undefined
}

interface TriedStep extends StepAddress {
  readonly isRetry: boolean
  readonly selected: ReadonlySet<number>
  readonly signal: AbortSignal
}

interface Attempt {
  readonly run: Pick<ScenarioRun, 'isWaiting' | 'settle' | 'finish' | 'acceptedRewrites'>
  readonly number: number
  /** Whether a retry keeps the verdict of this attempt, because a new attempt could not change it. */
  isFinal: boolean
  /** The scenario with recorded blocks in place of the agent; `undefined` if the agent carries it out. */
  readonly replayed?: Scenario | undefined
  readonly startRun: StartRun
  /** Why the agent carries out the scenario although there is a recording. */
  readonly handedOver?: RecordedReason | undefined
  readonly isWhole: boolean
  /** The recording of the run in which mdtest repeated the agent's commands. Absent if mdtest repeated nothing. */
  made(): ScenarioRecording | undefined
}

export type ReplayedScenario = Pick<EndedRun, 'scenario' | 'startRun'>

/** Whether an agent can reach `minAssurance`. More than `witnessed` needs `verify` blocks or `reproduce`. */
function canReachAssurance(scenario: Scenario, { policy, executor, reproduce }: SpecSettings): boolean {
  const isVerified = stepsOf(scenario).every(({ blocks }) => blocks.some(({ role }) => role === 'verify'))
  const byAgent = reproduce === true ? 'reproduced' : executor === 'agent' ? 'evidenced' : 'witnessed'
  return !isWeaker(isVerified ? 'verified' : byAgent, policy.minAssurance ?? 'claimed')
}

/** Runs the scenarios of one spec, with at most one attempt of each scenario at a time. */
export class Attempts {
  readonly #settings: SpecSettings
  readonly #replay: ReplayPlan | undefined
  /** Whether the agent may take over if a recording does not fit. */
  readonly #mayHandOver: boolean
  readonly #repeatRun: RepeatRun | undefined
  readonly #byScenario = new Map<number, Attempt>()

  constructor(
    { settings, replay, record }: Pick<Plan, 'settings' | 'replay' | 'record'>,
    asks: { readonly env: NodeJS.ProcessEnv; readonly mayStart: boolean; readonly repeatRun?: RepeatRun | undefined },
  ) {
    this.#settings = settings
    this.#replay = replay
    this.#repeatRun = asks.repeatRun
    const isAgentless = record?.command === 'check' || (replay?.isComplete === true && isCi(asks.env))
    this.#mayHandOver = replay?.mode === 'auto' && asks.mayStart && !isAgentless
  }

  /** At a retry, starts the whole scenario anew, unless the earlier attempt `isFinal`. */
  async settle(step: TriedStep, startRun: StartRun): Promise<SettledStep> {
    const { scenario, isRetry } = step
    const earlier = this.#byScenario.get(scenario.ordinal)
    const isSame = earlier !== undefined && (!isRetry || earlier.isFinal)
    const number = (earlier?.number ?? 0) + 1
    const attempt = isSame
      ? earlier
      : this.#start(step, {
          number,
          startRun,
          // Only the first attempt replays: a retry starts the agent.
          replayed: number === 1 ? this.#replay?.scenarios[scenario.ordinal] : undefined,
          handedOver: earlier === undefined ? this.#replay?.stale[scenario.ordinal] : earlier.handedOver,
        })
    this.#byScenario.set(scenario.ordinal, attempt)
    if (attempt !== earlier) await earlier?.run.finish()
    const settled = await this.#settleIn(attempt, step)
    const misfit = this.#misfitOf(settled, attempt)
    if (misfit !== undefined) return this.#handOver(step, { attempt, startRun, misfit })
    const isAgentless = attempt.replayed !== undefined && !this.#mayHandOverIn(attempt.replayed)
    attempt.isFinal ||= isAgentless || isUnrepeatable(settled.verdict)
    const { usage, ...known } = settled
    // Leave out usage that the earlier try has already reported.
    return { ...known, ...(usage && !(isSame && isRetry) && { usage }) }
  }

  #settleIn({ run }: Attempt, { scenario, ordinal, signal }: TriedStep): Promise<SettledStep> {
    const limits = { limitMs: scenarioTimeoutMs(scenario, this.#settings), isWaiting: () => run.isWaiting }
    return withinDeadline(limits, (over) => run.settle(ordinal, AbortSignal.any([signal, over])))
  }

  #mayHandOverIn(scenario: Scenario): boolean {
    return this.#mayHandOver && canReachAssurance(scenario, this.#settings)
  }

  #misfitOf({ verdict }: SettledStep, { replayed }: Attempt): Reason | undefined {
    if (replayed === undefined || !this.#mayHandOverIn(replayed) || verdict.outcome !== 'fail') return undefined
    const { reasons } = verdict
    return reasons.every(({ code }) => misfits.has(code)) ? reasons[0] : undefined
  }

  async #handOver(
    step: TriedStep,
    { attempt, startRun, misfit }: { readonly attempt: Attempt; readonly startRun: StartRun; readonly misfit: Reason },
  ): Promise<SettledStep> {
    const { scenario, ordinal, selected } = step
    await attempt.run.finish()
    // Earlier steps were already reported as passed. If one fails in the new run, this step reports the failure.
    const left = new Set([...selected].filter((one) => one >= ordinal))
    const fresh = this.#start({ ...step, selected: left }, { number: attempt.number, startRun, handedOver: misfit })
    this.#byScenario.set(scenario.ordinal, fresh)
    const settled = await this.#settleIn(fresh, step)
    fresh.isFinal ||= isUnrepeatable(settled.verdict)
    return settled
  }

  async finish(scenarioOrdinal: number): Promise<readonly LateFinding[]> {
    return (await this.#byScenario.get(scenarioOrdinal)?.run.finish()) ?? []
  }

  /** Runs that can be recorded: an agent's first attempt at a whole scenario, also after a recording did not fit. */
  recordable(): readonly RecordableRun[] {
    return [...this.#byScenario].flatMap(([ordinal, { run, replayed, startRun, made }]) =>
      run instanceof ScenarioRun && replayed === undefined && this.whyNotRecordable(ordinal) === undefined
        ? [{ ordinal, run, startRun, made: made() }]
        : [],
    )
  }

  replayed(): readonly ReplayedScenario[] {
    return [...this.#byScenario.values()].flatMap(({ replayed, startRun }) =>
      replayed === undefined ? [] : [{ scenario: replayed, startRun }],
    )
  }

  whyNotRecordable(ordinal: number): 'repeated' | 'retried' | 'in part' | undefined {
    const attempt = this.#byScenario.get(ordinal)
    if (attempt === undefined || attempt.replayed !== undefined) return undefined
    if (attempt.run instanceof RepeatedRun) return 'repeated'
    if (attempt.number > 1) return 'retried'
    return attempt.isWhole ? undefined : 'in part'
  }

  acceptedRewrites(): Promise<readonly AcceptedRewrites[]> {
    return Promise.all([...this.#byScenario.values()].map(({ run }) => run.acceptedRewrites()))
  }

  #start({ scenario, selected }: TriedStep, attempt: Omit<Attempt, 'run' | 'isFinal' | 'isWhole' | 'made'>): Attempt {
    const { number, replayed, handedOver, startRun } = attempt
    const repeatRun = this.#repeatRun
    let made: ScenarioRecording | undefined
    const reproduce: Repeater | undefined = repeatRun && {
      isRequired: this.#settings.reproduce === true,
      async repeat(account, signal) {
        const repeated = await repeatRun({ scenario: replayed ?? scenario, account, startRun, signal })
        made = repeated.recording
        return repeated.steps
      },
    }
    const startOne = (more: Pick<ScenarioInput, 'rate' | 'isRepetition'>): ScenarioRun =>
      startRun({
        attempt: number,
        selected,
        handedOver,
        ...(replayed && { scenario: replayed }),
        ...(reproduce && { reproduce }),
        ...more,
      })
    const repeats = repeatsIn(scenario, this.#settings)
    const run =
      repeats.runs === 1 || replayed !== undefined
        ? startOne({})
        : new RepeatedRun({
            repeats,
            afterFailure: this.#settings.afterFailure,
            scenario,
            selected,
            startRun: startOne,
          })
    return { ...attempt, run, isFinal: false, isWhole: isWholeRun(scenario, selected), made: () => made }
  }
}

/** Codes for a recording that does not fit. All other codes are real failures. */
const misfits: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['REPLAY_STALE', 'REPLAY_DIFFERS'])
