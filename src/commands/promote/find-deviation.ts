import { agentStepsOf, planBlocks } from '../../scenario/plan-blocks.ts'
import { lineOf, stepsOf, type Block, type Scenario, type Spec, type SpecLine, type Step } from '../../spec/spec.ts'

/**
 * Where a spec with promoted steps would not do what a replay does, or something else besides.
 *
 * @param before as it was, with recorded blocks in the place of the agent where steps are promoted
 */
export function findDeviation(
  before: Pick<Spec, 'scenarios'>,
  after: Pick<Spec, 'scenarios'>,
): { readonly line: number; readonly message: string } | undefined {
  for (const [index, scenario] of before.scenarios.entries()) {
    const other = after.scenarios[index]
    const steps = other === undefined ? [] : stepsOf(other)
    for (const [at, step] of stepsOf(scenario).entries()) {
      const isPromoted = step.replay !== undefined
      const directives = isPromoted ? { ...step.directives, agent: 'none' as const } : step.directives // its type
      const found = steps[at]
      if (found !== undefined && asIs(found, isPromoted) === asIs({ ...step, directives }, isPromoted)) continue
      const message = 'The spec would not do what the replay does: the order of blocks would be another one.'
      return { line: step.line, message }
    }
    if (other === undefined || hooksOf(other) !== hooksOf(scenario)) {
      return { line: scenario.line, message: 'Its set-up or tear-down would be another one.' }
    }
  }
  return undefined
}

/**
 * Where what was done in one page would be done in two, or go on in that of others: a recording has a page of its own, as
 * an agent has, and blocks of the spec have another one.
 *
 * @param usesBrowser whether a step that keeps its agent may go on in that page
 */
export function findOtherPage(
  before: Pick<Spec, 'scenarios'>,
  usesBrowser: (scenario: Scenario, step: Step) => boolean,
): (SpecLine & { readonly message: string }) | undefined {
  for (const scenario of before.scenarios) {
    const { setup, of } = planBlocks(scenario)
    const all = [...setup, ...stepsOf(scenario).flatMap(of)].filter(({ kind }) => kind === 'browser')
    const last = all.findLastIndex(({ isRecorded }) => isRecorded)
    if (last === -1) continue
    const left = agentStepsOf(scenario).find((step) => usesBrowser(scenario, step))
    const others = all.slice(0, last).find(({ isRecorded }) => !isRecorded)
    const { line } = scenario
    if (left) {
      const message = `"${left.title}" would keep its agent, whose page is another one. Promote all of the scenario, by its own line (${line}).`
      return { ...lineOf(left), message }
    }
    if (others) {
      const message =
        'This `browser` block has another page than what was recorded, which would go on in it. Write the blocks of the recording by hand.'
      return { ...lineOf(others), message }
    }
  }
  return undefined
}

/** What a step does, wherever it stands. */
function asIs({ id, actor, directives, checks, blocks }: Step, isPromoted: boolean): string {
  const judged = isPromoted ? [] : checks.map(({ text }) => text)
  return JSON.stringify([id, actor, sorted(directives), judged, blocks.map((block) => what(block, isPromoted))])
}

function what(block: Block, isPromoted: boolean): unknown {
  const { kind, role, code, attributes, file } = block
  const expected = block.kind === 'script' ? block.expected.map(({ stream, text }) => [stream, text]) : []
  return [kind, isPromoted ? '' : role, code, sorted(attributes), expected, isPromoted ? '' : file]
}

function sorted(all: object): unknown {
  return Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function hooksOf({ setup, teardown, blocks }: Scenario): string {
  const ofHook = (one: Scenario['setup']): unknown =>
    one && [one.hasProse, one.blocks.map((block) => what(block, false))]
  return JSON.stringify([ofHook(setup), ofHook(teardown), blocks.map((block) => what(block, false))])
}
