import { join, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { matchGlob } from '../../system/files/match-glob.ts'
import { isWeaker } from '../../records/outcome.ts'
import { stepsOf, titledLineOf, type Scenario, type Spec } from '../../spec/spec.ts'
import type { ScenarioAccount } from '../../scenario/scenario-input.ts'
import type { RecordingRefusal, RefusalCode } from '../../records/recorded-reason.ts'

/** Why a run is none to make a recording of; `undefined` where it is one. */
export function notEligible(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  scenario: Scenario,
  { verdict, evidence, calls, unrecordable = '', directory, scratchDir }: ScenarioAccount,
): RecordingRefusal | undefined {
  const refuse = (
    code: RefusalCode,
    message: string,
    at: Parameters<typeof titledLineOf>[0] = scenario,
  ): RecordingRefusal => ({ code, ...titledLineOf(at), message })
  const failed = verdict.steps.find(
    ({ outcome, expected, change }) =>
      (outcome !== 'pass' && outcome !== 'skipped') || (change !== undefined && expected !== undefined),
  )
  if (failed)
    return refuse(
      'NOT_ELIGIBLE',
      'The step did not pass, and only a pass is recorded. See to it that it passes.',
      failed,
    )
  if (calls === undefined)
    return refuse(
      'NEEDS_THE_MODEL',
      `Only what mdtest executed is recorded, and the agent \`${evidence.name}\` executed by itself. ${unrecordable}`.trim(),
    )
  const steps = new Map(stepsOf(scenario).map((step) => [step.id, step]))
  const ofAgent = verdict.steps.filter(({ id, outcome }) => steps.get(id)?.actor === 'agent' && outcome === 'pass')
  const weak = ofAgent.find(({ assurance = 'claimed' }) => isWeaker(assurance, 'evidenced'))
  if (weak) {
    return refuse(
      'NOT_ELIGIBLE',
      `The pass is \`${weak.assurance}\` only. Have the agent quote what the product printed.`,
      weak,
    )
  }
  if (frontMatter.sideEffects) {
    return refuse('NOT_ELIGIBLE', 'The spec has `side-effects: true`: nobody can try it without them.')
  }
  const { cwd, writes } = frontMatter
  const isFresh = cwd === 'copy' || cwd === 'temp'
  const mayReplace = (file: string): boolean => {
    if (scratchDir !== undefined && isInside(file, scratchDir)) return true
    const name = join(cwd === 'root' ? '' : cwd, relative(directory, file))
    return writes.some((pattern) => matchGlob(name, pattern))
  }
  // An application that runs elsewhere is not begun anew by a directory: whether it is, its executions show.
  const isElsewhere = calls.length > 0 && calls.every(({ kind }) => kind === 'browser')
  if (!isElsewhere && !isFresh && (scenario.setup?.blocks ?? []).length === 0) {
    return refuse(
      'NOT_ELIGIBLE',
      'A replay has to begin where the agent did. Set `cwd: copy` or `cwd: temp`, or add a `Setup` with a block that resets what the steps change.',
    )
  }
  if (evidence.denials.length > 0)
    return refuse(
      'NOT_ELIGIBLE',
      `The agent was refused something: ${evidence.denials[0]?.what ?? ''}. Allow it with \`allow\`, or say in the step how to do without.`,
    )
  const hook = [scenario.setup, scenario.teardown].find((one) => one?.hasProse === true)
  if (hook) return refuse('NEEDS_THE_MODEL', 'The section has prose for the agent. Write it as blocks.', hook)
  const written = isFresh ? undefined : calls.find((call) => call.kind === 'edit' && !mayReplace(call.file))
  if (written?.kind === 'edit') {
    const name = relative(directory, written.file)
    return refuse(
      'NEEDS_THE_MODEL',
      `The agent wrote \`${name}\` into the project, where a replay must not replace files of yours. Set \`cwd: copy\`, or name the file in \`writes\`.`,
      steps.get(written.step) ?? scenario,
    )
  }
  return undefined
}
