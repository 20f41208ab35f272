import { inject, type TestContext } from 'vitest'
import { connectHost } from '../host/connect-host.ts'
import { leftOutReasons } from '../options/left-out.ts'
import { repeatsIn } from '../options/repeats-in.ts'
import { isUnrepeatable } from '../run/is-unrepeatable.ts'
import { RepeatedRun } from '../run/repeated-run.ts'
import type { ScenarioInput } from '../run/scenario-input.ts'
import { ScenarioRun } from '../run/scenario-run.ts'
import { stepsOf, type Scenario } from '../spec/spec.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { Reason } from '../verdict/verdict.ts'
import { createModuleExecutor, type BlockImport } from './execute-module.ts'
import { StepFailure } from './failure.ts'
import type { Plan } from './generate-module.ts'
import { onDemandReasons } from './on-demand.ts'
import { reportStep, type StepPlace } from './report-step.ts'
import { endingTimeoutMs, withinDeadline } from './scenario-deadline.ts'
import { scenarioTimeoutMs } from './scenario-timeout.ts'
import { selectedSteps } from './selected-steps.ts'
import type {} from './provided.ts'
import type { SnapshotState } from './inline-snapshots.ts'
import { updateSpec } from './update-spec.ts'

/** What the generated module of a spec calls. */
export interface SpecRuntime {
  /** The body of a step's test. */
  step(context: TestContext, scenario: number, ordinal: number): Promise<void>
  /** The body of a step that a directive skips, with the reason given there. */
  skip(context: TestContext, reason: string): Promise<void>
  /** After all steps of a scenario. */
  end(scenario: number): Promise<void>
  /** After all scenarios: has expected output rewritten, where the user asks for it. */
  close(): Promise<void>
}

interface Attempt {
  readonly run: Pick<ScenarioRun, 'isWaiting' | 'settle' | 'finish' | 'acceptedRewrites'>
  /** Counted from 1. */
  readonly number: number
  /** Another attempt would be blocked for the same reason. */
  isFinal: boolean
}

/** Opens the runtime of one spec file in a Vitest worker. `imports` gives those of its `ts` and `js` blocks. */
export function openSpec(readPlan: () => Plan, imports: () => readonly BlockImport[]): SpecRuntime {
  const attempts = new Map<number, Attempt>()
  let snapshots: SnapshotState | undefined
  return {
    async step(context, scenarioOrdinal, ordinal) {
      const plan = readPlan()
      snapshots = context.expect.getState().snapshotState
      const scenario = scenarioAt(plan, scenarioOrdinal)
      const place = { spec: plan.spec, scenario, ordinal, root: inject('mdtest').root }
      const reasons = leaveOutReasons(plan, place)
      if (reasons.length > 0) {
        return reportStep(context, { verdict: { outcome: 'skipped', reasons }, rewritten: [] }, place)
      }
      const earlier = attempts.get(scenarioOrdinal)
      // A retry of any step is a new attempt at the whole scenario: tear-down, fresh directory, set-up, new agent. Where
      // that cannot help, the step gets the verdict that it has.
      const isSame = earlier !== undefined && (!isRepeated(context) || earlier.isFinal)
      const attempt = isSame ? earlier : startAttempt(plan, { scenario, context, earlier, imports: imports() })
      attempts.set(scenarioOrdinal, attempt)
      if (attempt !== earlier) await earlier?.run.finish()
      const limits = { limitMs: scenarioTimeoutMs(scenario, plan.settings), isWaiting: () => attempt.run.isWaiting }
      const settled = withinDeadline(limits, (signal) =>
        attempt.run.settle(ordinal, AbortSignal.any([context.signal, signal])),
      )
      // On a timeout Vitest leaves this body behind; the agent must have ended before the next test starts.
      context.onTestFinished(async () => void (await settled.catch(() => {})), endingTimeoutMs)
      const step = await settled.catch((error: unknown) => failAtHeading(error, place))
      attempt.isFinal ||= isUnrepeatable(step.verdict)
      await reportStep(context, step, place)
    },
    async skip(context, reason) {
      await context.annotate(reason, 'mdtest:skip')
      context.skip(reason)
    },
    async end(scenarioOrdinal) {
      const found = (await attempts.get(scenarioOrdinal)?.run.finish()) ?? []
      if (found.length === 0) return
      throw new StepFailure(readPlan().spec.file, {
        places: found,
        message: found.map(({ code, message }) => `${code}: ${message}`).join('\n'),
        code: found[0]?.code,
      })
    },
    async close() {
      const runs = [...attempts.values()].map(({ run }) => run)
      await updateSpec(runs, { readPlan, snapshots })
    },
  }
}

/** Why nothing of a scenario is started: the whole spec is left out, or it waits until somebody asks for it. */
function leaveOutReasons(plan: Plan, place: StepPlace): readonly Reason[] {
  const ofSpec = leftOutReasons(plan.spec, { ...plan, ...place, env: process.env })
  return ofSpec.length > 0 ? ofSpec : onDemandReasons(place.scenario, inject('mdtest').cause)
}

/** What stopped the scenario from outside its steps, shown where the reader looks for it. */
function failAtHeading(error: unknown, { spec, scenario, ordinal }: StepPlace): never {
  const step = stepsOf(scenario)[ordinal - 1] ?? scenario
  throw new StepFailure(spec.file, { places: [step], message: error instanceof Error ? error.message : String(error) })
}

function scenarioAt({ spec }: Plan, ordinal: number): Scenario {
  const scenario = spec.scenarios[ordinal - 1]
  if (!scenario) throw new MdtestError('SPEC_INTERNAL', `The plan of ${spec.file} has no scenario ${ordinal}.`)
  return scenario
}

function isRepeated({ task }: TestContext): boolean {
  return (task.result?.retryCount ?? 0) > 0 || (task.result?.repeatCount ?? 0) > 0
}

interface AttemptContext {
  readonly scenario: Scenario
  readonly context: TestContext
  readonly earlier: Attempt | undefined
  readonly imports: readonly BlockImport[]
}

function startAttempt(
  { spec, settings, hashes }: Plan,
  { scenario, context, earlier, imports }: AttemptContext,
): Attempt {
  const provided = inject('mdtest')
  const { address, root, isDebugged } = provided
  const { file: tests } = context.task
  const number = (earlier?.number ?? 0) + 1
  const selected = selectedSteps(tests, scenario)
  const startRun = (more: Pick<ScenarioInput, 'rate' | 'isRepetition'>): ScenarioRun =>
    new ScenarioRun({
      spec,
      scenario,
      hashes,
      settings,
      root,
      env: process.env,
      host: connectHost(address),
      executeModule: createModuleExecutor({
        spec,
        scenario,
        tests,
        imports,
        provided,
        blockTimeoutMs: settings.blockTimeoutMs,
      }),
      isDebugged,
      attempt: number,
      selected,
      ...more,
    })
  const repeats = repeatsIn(scenario, settings)
  const run = repeats.runs === 1 ? startRun({}) : new RepeatedRun({ repeats, scenario, selected, startRun })
  return { run, number, isFinal: false }
}
