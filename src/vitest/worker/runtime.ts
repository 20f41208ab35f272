import { isMainThread } from 'node:worker_threads'
import { inject, type TestContext, type RunnerTestFile } from 'vitest'
import { connectHost } from '../../host/server/connect-host.ts'
import { leftOutReasons } from '../../plan/options/requirements.ts'
import { ScenarioRun } from '../../scenario/scenario-run.ts'
import { isLeftOut, type Scenario, stepsOf, type Spec } from '../../spec/spec.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { Attempts } from '../../plan/scenario-attempts.ts'
import { describeInterruption, describeLate, StepFailure } from '../../plan/describe-failure.ts'
import { decodePlan, type Plan } from '../../plan/plan.ts'
import { refusePart, repeaterOf, type StartRun } from '../../plan/recordings/record-run.ts'
import { endingTimeoutMs } from '../../plan/scenario-timeout.ts'
import { updateSpec } from '../../plan/update-spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import { createModuleExecutor, type BlockImport, testsOfSteps } from './execute-module.ts'
import { onDemandReasons } from '../watch/agents-on-demand.ts'
import type { RunCause } from '../watch/run-cause.ts'
import { annotate, reportStep } from './report-step.ts'
import { moduleBlocksOf } from '../modules/module-blocks.ts'
import { refuseDebugger } from '../../system/mdtest-package.ts'

// With `vmThreads`, Node.js 20 lacks `Symbol.dispose`. Compiled `using` then uses `Symbol.for('Symbol.dispose')`.
if (!Reflect.has(Symbol, 'dispose')) Object.defineProperty(Symbol, 'dispose', { value: Symbol.for('Symbol.dispose') })

/** Functions that the generated module of a spec calls. */
export interface SpecRuntime {
  step(scenario: number, ordinal: number): (context: TestContext) => Promise<void>
  skip(reason: string): (context: TestContext) => Promise<void>
  end(scenario: number): Promise<void>
  close(): Promise<void>
}

/** Opens the runtime of one spec in a Vitest worker. `imports` load its `ts` and `js` blocks. */
export function openSpec(encodedPlan: string, imports: () => readonly BlockImport[]): SpecRuntime {
  // In a worker that is a process instead of a thread, `isMainThread` is true.
  if (isMainThread) refuseDebugger()
  // Decode the plan only when a test runs, because listing tests does not need it.
  let decoded: Plan | undefined
  const readPlan = (): Plan => (decoded ??= decodePlan(encodedPlan))
  let attempts: Attempts | undefined
  let leftOut: readonly Reason[] | undefined
  let snapshots: SnapshotState | undefined
  let isWhole: boolean | undefined
  return {
    step: (scenarioOrdinal, ordinal) => async (context) => {
      const plan = readPlan()
      snapshots = context.expect.getState().snapshotState
      // Compute this before any test skips itself: a skipped test counts as not selected.
      isWhole ??= isAllSelected(context.task.file, plan.spec)
      const scenario = scenarioAt(plan, scenarioOrdinal)
      const place = { spec: plan.spec, scenario, ordinal, root: inject('mdtest').root }
      // Check requirements only once. If an agent removes a required program later, the steps report this themselves.
      leftOut ??= leftOutReasons(plan.spec, { ...plan, root: place.root, env: process.env })
      const cause = causeFor(plan.spec.file)
      const onDemand = onDemandReasons(plan.replay?.scenarios[scenario.ordinal] ?? scenario, cause)
      const reasons = leftOut.length > 0 ? leftOut : onDemand
      if (reasons.length > 0)
        return reportStep(context, { verdict: { outcome: 'skipped', reasons }, rewritten: [] }, place)
      const selected = selectedSteps(context.task.file, scenario)
      const refused = refusePart(scenario, plan, { root: place.root, selected })
      if (refused !== undefined) throw new StepFailure(plan.spec.file, { message: refused, places: [scenario] })
      const { retryCount = 0, repeatCount = 0 } = context.task.result ?? {}
      const isRetry = retryCount > 0 || repeatCount > 0
      const tried = { scenario, ordinal, selected, isRetry, signal: context.signal }
      attempts ??= new Attempts(plan, {
        env: process.env,
        mayStart: cause === 'demand',
        repeatRun: repeaterOf(plan, { ...inject('mdtest'), env: process.env }),
      })
      const settled = attempts.settle(tried, runStarter(plan, { ...tried, context, imports: imports() }))
      // After a timeout Vitest abandons this function, but the agent must end before the next test starts.
      context.onTestFinished(async () => void (await settled.catch(() => {})), endingTimeoutMs)
      const step = await settled.catch((error: unknown) => {
        throw new StepFailure(plan.spec.file, describeInterruption(error, place))
      })
      await reportStep(context, step, place)
    },
    skip: (reason) => async (context) => {
      await annotate(context, [['skip', reason]])
      context.skip(reason)
    },
    async end(scenarioOrdinal) {
      const late = describeLate((await attempts?.finish(scenarioOrdinal)) ?? [])
      if (late) throw new StepFailure(readPlan().spec.file, late)
    },
    async close() {
      if (!attempts) return
      const plan = readPlan()
      const hasSnapshots = snapshots !== undefined && mayWriteInlineSnapshots(snapshots, plan.spec)
      const { recordSpec } = plan.settings.recordings ? await import('../../plan/recordings/record-spec.ts') : {}
      const { address, root } = inject('mdtest')
      await recordSpec?.(attempts, { plan, address, root, env: process.env, isWhole: isWhole === true })
      const refused = await updateSpec(attempts, { plan, address, hasSnapshots })
      if (refused) throw new StepFailure(plan.spec.file, refused)
    },
  }
}

function causeFor(file: string): RunCause {
  const { cause, asked } = inject('mdtest')
  return asked === undefined || asked.includes(file) ? cause : 'again'
}

function scenarioAt({ spec }: Plan, ordinal: number): Scenario {
  const scenario = spec.scenarios[ordinal - 1]
  if (!scenario) throw new MdtestError('SPEC_INTERNAL', `The plan of ${spec.file} has no scenario ${ordinal}.`)
  return scenario
}

interface RunContext {
  readonly scenario: Scenario
  readonly selected: ReadonlySet<number>
  readonly context: TestContext
  readonly imports: readonly BlockImport[]
}

function runStarter({ spec, settings, hashes }: Plan, { scenario, selected, context, imports }: RunContext): StartRun {
  const provided = inject('mdtest')
  const { address, root, isDebugged } = provided
  const { file: tests } = context.task
  const { blockTimeoutMs } = settings
  return (more) =>
    new ScenarioRun({
      spec,
      scenario,
      hashes,
      settings,
      root,
      env: process.env,
      host: connectHost(address),
      executeModule: createModuleExecutor({ spec, scenario, tests, imports, provided, blockTimeoutMs }),
      isDebugged,
      selected,
      ...more,
    })
}

function selectedSteps(file: RunnerTestFile, scenario: Scenario): ReadonlySet<number> {
  const leftOut = new Set(stepsOf(scenario).flatMap((step) => (isLeftOut(step) ? [step.ordinal] : [])))
  const running = [...testsOfSteps(file, scenario)].filter(([, { mode }]) => mode === 'run' || mode === 'queued')
  return new Set(running.map(([ordinal]) => ordinal).filter((ordinal) => !leftOut.has(ordinal)))
}

function isAllSelected(file: RunnerTestFile, { scenarios }: Spec): boolean {
  return scenarios.every(
    (scenario) => selectedSteps(file, scenario).size === stepsOf(scenario).filter((step) => !isLeftOut(step)).length,
  )
}

type SnapshotState = ReturnType<TestContext['expect']['getState']>['snapshotState']

/** If true, the spec's lines must not move: Vitest will write inline snapshots at the old lines. */
function mayWriteInlineSnapshots({ added, updated }: SnapshotState, spec: Spec): boolean {
  const isInline = moduleBlocksOf(spec).some(({ code }) => /inlinesnapshot/i.test(code))
  return isInline && added.total() + updated.total() > 0
}
