import { join, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { matchGlob } from '../../system/files/match-glob.ts'
import { isWeaker } from '../../records/outcome.ts'
import { stepsOf, titledLineOf, type Scenario, type Spec } from '../../spec/spec.ts'
import type { ScenarioAccount } from '../../scenario/scenario-input.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { messageOf } from '../../system/error-facts.ts'

interface StepRefusal extends Pick<RecordingRefusal, 'code' | 'message'> {
  readonly id?: string | undefined
}

export function refuseAt(scenario: Scenario, { id, code, message }: StepRefusal): RecordingRefusal {
  const step = stepsOf(scenario).find((one) => one.id === id)
  return { code, ...titledLineOf(step ?? scenario), message: message.trim() }
}

export function refuseUntried(scenario: Scenario, error: unknown): RecordingRefusal {
  return refuseAt(scenario, { code: 'NOT_REPRODUCED', message: `It could not be tried: ${messageOf(error)}` })
}

export function notEligible(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  scenario: Scenario,
  { verdict, evidence, calls, unrecordable = '', directory, scratchDir }: ScenarioAccount,
): RecordingRefusal | undefined {
  const notFit = (message: string, id?: string): RecordingRefusal =>
    refuseAt(scenario, { code: 'NOT_ELIGIBLE', message, id })
  const failed = verdict.steps.find(
    ({ outcome, expected, change }) =>
      (outcome !== 'pass' && outcome !== 'skipped') || (change !== undefined && expected !== undefined),
  )
  if (failed) return notFit('The step did not pass, and only a pass is recorded. Make it pass first.', failed.id)
  if (calls === undefined) {
    const message = `Only what mdtest executed is recorded, and the agent \`${evidence.name}\` executed by itself. ${unrecordable}`
    return refuseAt(scenario, { code: 'NEEDS_THE_MODEL', message })
  }
  const steps = new Map(stepsOf(scenario).map((step) => [step.id, step]))
  const ofAgent = verdict.steps.filter(({ id, outcome }) => steps.get(id)?.actor === 'agent' && outcome === 'pass')
  const weak = ofAgent.find(({ assurance = 'claimed' }) => isWeaker(assurance, 'evidenced'))
  if (weak)
    return notFit(`The pass is \`${weak.assurance}\` only. Have the agent quote what the product printed.`, weak.id)
  if (frontMatter.sideEffects) return notFit('The spec has `side-effects: true`, so it cannot be tried without them.')
  const { cwd, writes } = frontMatter
  const isFresh = cwd === 'copy' || cwd === 'temp'
  // A fresh directory resets nothing for an agent that only used a browser. So `cwd` does not matter.
  const isElsewhere = calls.length > 0 && calls.every(({ kind }) => kind === 'browser')
  if (!isElsewhere && !isFresh && (scenario.setup?.blocks ?? []).length === 0) {
    return notFit(
      'A replay has to begin where the agent did. Set `cwd: copy` or `cwd: temp`, or add a `Setup` with a block that resets what the steps change.',
    )
  }
  const [denied] = evidence.denials
  if (denied !== undefined)
    return notFit(
      `The agent was refused something: ${denied.what}. Allow it with \`allow\`, or say in the step how to do without it.`,
    )
  const hook = [scenario.setup, scenario.teardown].find((one) => one?.hasProse === true)
  if (hook) {
    const message = 'The section has prose for the agent. Write it as blocks.'
    return { code: 'NEEDS_THE_MODEL', ...titledLineOf(hook), message }
  }
  const mayReplace = (file: string): boolean => {
    if (scratchDir !== undefined && isInside(file, scratchDir)) return true
    const name = join(cwd === 'root' ? '' : cwd, relative(directory, file))
    return writes.some((pattern) => matchGlob(name, pattern))
  }
  const written = isFresh ? undefined : calls.find((call) => call.kind === 'edit' && !mayReplace(call.file))
  if (written?.kind !== 'edit') return undefined
  const message = `The agent wrote \`${relative(directory, written.file)}\` into the project, where a replay must not replace files of yours. Set \`cwd: copy\`, or name the file in \`writes\`.`
  return refuseAt(scenario, { id: written.step, code: 'NEEDS_THE_MODEL', message })
}
