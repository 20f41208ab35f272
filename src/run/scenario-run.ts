import type { BlockOutcome } from '../shared/block-outcome.ts'
import { stepsOf, type Block, type Group, type Hook, type Scenario, type Step } from '../spec/spec.ts'
import { evaluateScenario } from '../verdict/evaluate-scenario.ts'
import type { AgentEvidence, ScenarioEvidence, Verdict } from '../verdict/verdict.ts'
import { carryOutProse } from './carry-out-prose.ts'
import { isLeftOut } from './is-left-out.ts'
import type { ScenarioInput } from './scenario-input.ts'
import { createWorkspace } from './workspace.ts'

/** A settled step. */
export interface SettledStep {
  readonly verdict: Verdict
  /** Absolute path of the agent's result log, where there is one. */
  readonly logFile?: string
}

/** One attempt at one scenario: set-up, steps in order, tear-down. */
export interface ScenarioRun {
  /** Runs everything up to this step, once, and gives its verdict. The last selected step also tears down. */
  settle(ordinal: number, signal: AbortSignal): Promise<SettledStep>
  /** Tears down if that has not happened yet. Gives the failures that no step has reported. */
  finish(): Promise<readonly BlockOutcome[]>
}

/** Prepares an attempt; nothing starts before the first step is asked for. */
export function createScenarioRun(input: ScenarioInput): ScenarioRun {
  const { scenario, host } = input
  const lastSelected = Math.max(...input.selected)
  const steps = stepsOf(scenario).filter((step) => step.ordinal <= lastSelected)
  const blocksBefore = groupBlocks(scenario)
  const teardownBlocks = withoutSkipped(scenario.teardown)
  const workspace = createWorkspace({
    ...input,
    blockTimeoutMs: input.settings.blockTimeoutMs,
    hasTeardown: teardownBlocks.length > 0,
  })
  const stepBlocks = new Map<number, BlockOutcome[]>(steps.map((step) => [step.ordinal, []]))
  let setup: readonly BlockOutcome[] = []
  let teardown: readonly BlockOutcome[] = []
  let agent: { readonly evidence: AgentEvidence; readonly logFile?: string } | undefined
  let done = 0
  let hasStopped = false
  let finishing: Promise<readonly BlockOutcome[]> | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const blocksOf = (step: Step): readonly Block[] =>
    [...(blocksBefore.get(step.ordinal) ?? []), ...step.blocks].filter((block) => !block.attributes.skip)

  const evidence = (): ScenarioEvidence => ({
    steps: steps.map((step) => ({
      id: step.id,
      title: step.title,
      line: step.line,
      actor: isLeftOut(step) ? 'todo' : step.actor,
      checks: step.checks,
      blocks: stepBlocks.get(step.ordinal) ?? [],
      isAsked: true,
      ...(step.ordinal <= done && { plannedBlocks: blocksOf(step).length }),
    })),
    setup,
    teardown,
    ...(agent && { agent: agent.evidence }),
  })
  const verdictOn = (step: Step): Verdict => evaluateScenario(evidence())[steps.indexOf(step)] ?? unknownStep

  const runBlocks = async (step: Step, role: Block['role']): Promise<boolean> => {
    const outcomes = await workspace.runBlocks(blocksOf(step).filter((block) => block.role === role))
    stepBlocks.get(step.ordinal)?.push(...outcomes)
    return outcomes.every((outcome) => outcome.status === 'pass')
  }

  const begin = async (): Promise<void> => {
    setup = await workspace.runBlocks(withoutSkipped(scenario.setup))
    hasStopped = setup.some((outcome) => outcome.status !== 'pass')
  }

  const runStep = async (step: Step, signal: AbortSignal): Promise<void> => {
    if (isLeftOut(step) || step.actor === 'todo') return
    if (!(await runBlocks(step, 'run'))) return
    if (step.actor === 'agent') {
      agent ??= await carryOutProse({ ...input, steps, cwd: await workspace.directory(), signal })
      if (verdictOn(step).outcome !== 'pass') return
    }
    await runBlocks(step, 'verify')
  }

  const advanceTo = async (ordinal: number, signal: AbortSignal): Promise<void> => {
    if (done === 0) await begin()
    for (const step of steps.slice(done)) {
      if (step.ordinal > ordinal) break
      if (!hasStopped) await runStep(step, signal)
      done = step.ordinal
      hasStopped ||= !isPassable(verdictOn(step))
    }
  }

  const finish = (): Promise<readonly BlockOutcome[]> =>
    // An error was given to the step that met it; the tear-down runs all the same.
    (finishing ??= queue
      .catch(() => {})
      .then(async () => {
        try {
          teardown = await workspace.tearDown(teardownBlocks)
        } finally {
          await workspace.close()
          host.close()
        }
        return teardown.filter((outcome) => outcome.status !== 'pass')
      }))
  let isTeardownReported = false

  return {
    async settle(ordinal, signal) {
      signal.addEventListener('abort', workspace.cancel, { once: true })
      // What cannot be an outcome stops the scenario: every later step rejects with the same error.
      const advanced = queue.then(() => advanceTo(ordinal, signal))
      queue = advanced
      await advanced
      if (ordinal === lastSelected) {
        await finish()
        isTeardownReported = true
      }
      const step = steps[ordinal - 1]
      const verdict = step ? blame(step, { steps, selected: input.selected, verdictOn }) : unknownStep
      return { verdict, ...(agent?.logFile !== undefined && { logFile: agent.logFile }) }
    },
    async finish() {
      const failures = await finish()
      return isTeardownReported ? [] : failures
    },
  }
}

function withoutSkipped(hook: Hook | undefined): readonly Block[] {
  return hook?.blocks.filter((block) => !block.attributes.skip) ?? []
}

/** A step that was left out does not stop the ones after it. */
function isPassable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'pass' || (outcome === 'skipped' && reasons.length === 0)
}

const unknownStep: Verdict = {
  outcome: 'fail',
  reasons: [{ code: 'STEP_UNKNOWN', message: 'The scenario has no such step.' }],
}

interface BlameContext {
  readonly steps: readonly Step[]
  readonly selected: ReadonlySet<number>
  verdictOn(step: Step): Verdict
}

/**
 * A step behind a failed one is skipped. When nobody reports the failed one, because a filter left it out, the
 * skipped step fails in its place: else the run would be green.
 */
function blame(step: Step, { steps, selected, verdictOn }: BlameContext): Verdict {
  const verdict = verdictOn(step)
  if (verdict.outcome !== 'skipped' || isPassable(verdict)) return verdict
  const culprit = steps.find((other) => other.ordinal < step.ordinal && !isPassable(verdictOn(other)))
  if (!culprit || selected.has(culprit.ordinal)) return verdict
  const { reasons, outcome } = verdictOn(culprit)
  const note = `Step "${culprit.title}" has to run before this one and did not pass.`
  return { outcome, reasons: reasons.map((reason) => ({ ...reason, message: `${note} ${reason.message}` })) }
}

/** Blocks of a heading with children run before the first step below it. */
function groupBlocks(scenario: Scenario): ReadonlyMap<number, readonly Block[]> {
  const byStep = new Map<number, Block[]>()
  const assign = (parent: { blocks: readonly Block[]; children: readonly (Group | Step)[] }): void => {
    const first = stepsOf(parent)[0]
    if (first) byStep.set(first.ordinal, [...(byStep.get(first.ordinal) ?? []), ...parent.blocks])
    for (const child of parent.children) if (child.kind === 'group') assign(child)
  }
  assign(scenario)
  return byStep
}
