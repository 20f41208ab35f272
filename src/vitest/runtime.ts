import { inject, type TestContext } from 'vitest'
import { connectHost } from '../host/connect-host.ts'
import { createScenarioRun, type ScenarioRun } from '../run/scenario-run.ts'
import { stepsOf, type Scenario } from '../spec/spec.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import { StepFailure } from './failure.ts'
import type { Plan } from './generate-module.ts'
import { reportStep, type StepPlace } from './report-step.ts'
import { selectedSteps } from './selected-steps.ts'
import type {} from './provided.ts'

/** What the generated module of a spec calls. */
export interface SpecRuntime {
  /** The body of a step's test. */
  step(context: TestContext, scenario: number, ordinal: number): Promise<void>
  /** The body of a step that a directive skips, with the reason given there. */
  skip(context: TestContext, reason: string): Promise<void>
  /** After all steps of a scenario. */
  end(scenario: number): Promise<void>
}

/** Longest end of a scenario after its test was canceled, in milliseconds: an agent's 5 s, a tear-down's 10 s, and more. */
const endingTimeoutMs = 30_000

/** Opens the runtime of one spec file in a Vitest worker. */
export function openSpec(readPlan: () => Plan): SpecRuntime {
  const attempts = new Map<number, ScenarioRun>()
  return {
    async step(context, scenarioOrdinal, ordinal) {
      const plan = readPlan()
      const scenario = scenarioAt(plan, scenarioOrdinal)
      const earlier = attempts.get(scenarioOrdinal)
      // A retry of any step is a new attempt at the whole scenario: tear-down, fresh directory, set-up, new agent.
      const run = earlier && !isRepeated(context) ? earlier : startAttempt(plan, scenario, context)
      attempts.set(scenarioOrdinal, run)
      if (run !== earlier) await earlier?.finish()
      const settled = run.settle(ordinal, context.signal)
      // On a timeout Vitest leaves this body behind; the agent must have ended before the next test starts.
      context.onTestFinished(async () => void (await settled.catch(() => {})), endingTimeoutMs)
      const place = { spec: plan.spec, scenario, ordinal, root: inject('mdtest').root }
      await reportStep(context, await settled.catch((error: unknown) => failAtHeading(error, place)), place)
    },
    async skip(context, reason) {
      await context.annotate(reason, 'mdtest:skip')
      context.skip(reason)
    },
    async end(scenarioOrdinal) {
      const [first] = (await attempts.get(scenarioOrdinal)?.finish()) ?? []
      if (first)
        throw new StepFailure(readPlan().spec.file, {
          lines: [first.line],
          message: `TEARDOWN_FAILED: ${first.message}`,
          code: 'TEARDOWN_FAILED',
        })
    },
  }
}

/** What stopped the scenario from outside its steps, shown where the reader looks for it. */
function failAtHeading(error: unknown, { spec, scenario, ordinal }: StepPlace): never {
  const line = stepsOf(scenario)[ordinal - 1]?.line ?? scenario.line
  throw new StepFailure(spec.file, { lines: [line], message: error instanceof Error ? error.message : String(error) })
}

function scenarioAt({ spec }: Plan, ordinal: number): Scenario {
  const scenario = spec.scenarios[ordinal - 1]
  if (!scenario) throw new MdtestError('SPEC_INTERNAL', `The plan of ${spec.file} has no scenario ${ordinal}.`)
  return scenario
}

function isRepeated({ task }: TestContext): boolean {
  return (task.result?.retryCount ?? 0) > 0 || (task.result?.repeatCount ?? 0) > 0
}

function startAttempt({ spec, settings }: Plan, scenario: Scenario, { task }: TestContext): ScenarioRun {
  const { address, root } = inject('mdtest')
  return createScenarioRun({
    spec,
    scenario,
    settings,
    root,
    env: process.env,
    host: connectHost(address),
    selected: selectedSteps(task.file, scenario),
  })
}
