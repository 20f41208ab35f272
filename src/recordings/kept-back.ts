import type { RecordingRefusal } from '../records/recording-refusal.ts'
import { agentStepsOf } from '../scenario/plan-blocks.ts'
import { titledLineOf, type Scenario, type Step } from '../spec/spec.ts'

/** Steps that are not recorded because of others; none where the reason is one of the whole scenario. */
export function keptBack(
  scenario: Scenario,
  refusals: readonly [RecordingRefusal, ...RecordingRefusal[]],
): readonly RecordingRefusal[] {
  const [cause] = refusals
  const isRefused = (step: Step): boolean =>
    refusals.some(({ line, file, step: title }) => line === step.line && file === step.file && title === step.title)
  const steps = agentStepsOf(scenario)
  const at = steps.findIndex(isRefused)
  if (at === -1) return []
  return steps.flatMap((step, index): readonly RecordingRefusal[] => {
    if (isRefused(step)) return []
    const where = cause.file === step.file ? `at line ${cause.line}` : `"${cause.step}"`
    const why =
      index < at
        ? `the step ${where} keeps its agent, and an agent never works on from a replay`
        : `nobody can try it without the agent of the step ${where}`
    const message = `${why}. Mend that step, or put the two into scenarios of their own.`
    return [{ code: cause.code, ...titledLineOf(step), message, isKeptBack: true }]
  })
}
