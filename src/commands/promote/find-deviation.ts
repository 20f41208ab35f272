import { stepsOf, type Block, type Scenario, type Spec, type Step } from '../../spec/spec.ts'
import type { RecordedStep } from '../../spec/recording/recording.ts'

interface Promoted {
  /** Of the scenario. */
  readonly ordinal: number
  readonly step: Step
  readonly found: RecordedStep
}

/** Where a spec with promoted steps would not do what a replay does, or something else besides. */
export function findDeviation(
  before: Pick<Spec, 'scenarios'>,
  after: Pick<Spec, 'scenarios'>,
  promoted: readonly Promoted[],
): { readonly line: number; readonly message: string } | undefined {
  for (const [index, scenario] of before.scenarios.entries()) {
    const other = after.scenarios[index]
    const steps = other === undefined ? [] : stepsOf(other)
    for (const [at, step] of stepsOf(scenario).entries()) {
      const recorded = promoted.find((one) => one.ordinal === scenario.ordinal && one.step.id === step.id)?.found
      const wanted = recorded === undefined ? asIs(step) : asReplayed(step, recorded)
      const found = steps[at]
      if (found !== undefined && asIs(found, recorded !== undefined) === wanted) continue
      const message = 'The spec would not do what the replay does: the order of blocks would be another one.'
      return { line: step.line, message }
    }
    if (other === undefined || hooksOf(other) !== hooksOf(scenario)) {
      return { line: scenario.line, message: 'Its set-up or tear-down would be another one.' }
    }
  }
  return undefined
}

function asReplayed(step: Step, { blocks }: RecordedStep): string {
  const isAfter = ({ role }: Block): boolean => role === 'verify'
  const all = [...step.blocks.filter((one) => !isAfter(one)), ...blocks, ...step.blocks.filter(isAfter)]
  return asIs({ ...step, actor: 'code', directives: { ...step.directives, agent: 'none' }, blocks: all }, true)
}

/** What a step does, wherever it stands. */
function asIs({ id, actor, directives, checks, blocks }: Step, isPromoted = false): string {
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
