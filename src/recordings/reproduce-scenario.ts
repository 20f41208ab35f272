import type { RecordingRefusal } from '../records/recorded-reason.ts'
import { isWholeRun } from '../scenario/plan-blocks.ts'
import { lineOf, mapSteps, stepsOf, titledLineOf, type Step } from '../spec/spec.ts'
import type { Reproduction, ReproductionProblem } from '../verdict/verdict.ts'
import { recordScenario, type RecordInput, type ScenarioRecording } from './record-scenario.ts'

export interface ReproducedScenario {
  readonly steps: NonNullable<Reproduction['steps']>
  /** Result for the scenario as a whole; absent if only a part of it was tried. */
  readonly recording?: ScenarioRecording
}

type Part = Pick<RecordInput, 'scenario' | 'account'>

interface Repeating {
  inputOf(part: Part): RecordInput
  interruption(): string | undefined
}

/** Tries to repeat the agent's work, without writing a recording. If a step fails, tries the steps before it alone. */
export async function reproduceScenario(whole: Part, repeating: Repeating): Promise<ReproducedScenario> {
  const all = stepsOf(whole.scenario)
  const found: Record<string, 'reproduced' | ReproductionProblem> = {}
  let recording: ScenarioRecording | undefined
  const ended = new Map(whole.account.verdict.steps.map(({ id, outcome }) => [id, outcome]))
  let left = all.filter(({ id }) => ended.get(id) === 'pass')
  const ran = new Set(all.flatMap(({ id, ordinal }) => (ended.has(id) ? [ordinal] : [])))
  const isGreen =
    isWholeRun(whole.scenario, ran) && [...ended.values()].every((one) => one === 'pass' || one === 'skipped')
  for (let isFirst = true; left.some(isOfAgent); isFirst = false) {
    const isWhole = isFirst && isGreen
    const made = await tryPart(isWhole ? whole : partWithSteps(whole, left), repeating)
    if (isWhole) recording = made
    if (made.ok) {
      for (const { id } of left.filter(isOfAgent)) found[id] = 'reproduced'
      break
    }
    const [refusal] = made.refusals
    const culprit = stepOf(refusal, left)
    found[culprit.id] = stepProblem(refusal, culprit)
    left = left.slice(0, left.indexOf(culprit))
  }
  const inOrder = Object.fromEntries(all.flatMap(({ id }) => (found[id] === undefined ? [] : [[id, found[id]]])))
  return { steps: inOrder, ...(recording && { recording }) }
}

function isOfAgent({ actor }: Step): boolean {
  return actor === 'agent'
}

async function tryPart(part: Part, { inputOf, interruption }: Repeating): Promise<ScenarioRecording> {
  const made = await recordScenario(inputOf(part))
  const message = interruption()
  if (message === undefined) return made
  return { ok: false, refusals: [{ code: 'NOT_REPRODUCED', ...titledLineOf(part.scenario), message }] }
}

function partWithSteps({ scenario, account }: Part, steps: readonly Step[]): Part {
  const ids = new Set(steps.map(({ id }) => id))
  const { verdict, evidence, calls, directory, scratchDir } = account
  return {
    scenario: mapSteps(scenario, (step) => (ids.has(step.id) ? step : { ...step, actor: 'todo', blocks: [] })),
    account: {
      directory,
      verdict: { ...verdict, steps: verdict.steps.filter(({ id }) => ids.has(id)) },
      evidence: { ...evidence, reports: evidence.reports?.filter(({ id }) => ids.has(id)) ?? [] },
      ...(calls && { calls: calls.filter(({ step }) => ids.has(step)) }),
      ...(scratchDir !== undefined && { scratchDir }),
    },
  }
}

function stepOf({ step: title, line, file }: RecordingRefusal, steps: readonly Step[]): Step {
  const named = steps.filter((step) => step.title === title)
  const first = steps.find(isOfAgent)
  const found = named.find((step) => step.line === line && step.file === file) ?? named[0] ?? first
  if (found === undefined) throw new Error('Only parts with a step of an agent are tried.')
  return found
}

function stepProblem({ code, message }: RecordingRefusal, step: Step): ReproductionProblem {
  const why = code === 'NOT_REPRODUCED' ? message : `${code}: ${message}`
  return { ...lineOf(step), message: `Repeated without the agent, the step does not hold. ${why}` }
}
