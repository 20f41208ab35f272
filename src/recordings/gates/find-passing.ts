import { stepsOf, type Block, type Scenario, type Step } from '../../spec/spec.ts'
import { rehearse, type Rehearsal, type RehearsalInput } from './rehearse.ts'
import { onlyJudging } from './variants.ts'

/**
 * Steps that pass by themselves, whatever comes of those before them. As many as can be are judged in one execution: one
 * that was not run there is judged in a further one.
 *
 * @param ids of steps with recorded blocks
 */
export async function findPassing(ids: readonly string[], input: RehearsalInput): Promise<readonly string[]> {
  const { scenario } = input
  const passing: string[] = []
  let left = stepsOf(scenario).filter(({ id }) => ids.includes(id))
  while (left.length > 0) {
    const together = judgedTogether(left)
    const rehearsal = await rehearse({ ...input, scenario: variantOf(scenario, together) })
    const lost = together.findIndex((step) => !wasRun(step, rehearsal))
    // The first has the shell as nobody else could leave it: whatever came of it is its own.
    const judged = lost === -1 ? together : together.slice(0, Math.max(1, lost))
    passing.push(...judged.filter(({ id }) => rehearsal.verdicts.get(id)?.outcome === 'pass').map(({ id }) => id))
    left = left.slice(judged.length)
  }
  return passing
}

function variantOf(scenario: Scenario, steps: readonly Step[]): Scenario {
  return onlyJudging(
    scenario,
    steps.map(({ id }) => id),
  )
}

/** One that leaves more behind than files is judged alone: others would find what it started. */
function judgedTogether(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex(({ blocks }) => blocks.some((block) => block.isRecorded && !isOfCommands(block)))
  return end === -1 ? steps : steps.slice(0, Math.max(1, end))
}

function isOfCommands({ kind, attributes }: Block): boolean {
  return kind === 'file' || (kind === 'console' && attributes.server === undefined && attributes.wait === undefined)
}

/** Whether all its commands came to their end. */
function wasRun({ id, blocks }: Step, { verdicts, commands }: Rehearsal): boolean {
  const own = blocks.flatMap((block) => (block.isRecorded && block.kind === 'console' ? block.commands : []))
  return verdicts.get(id)?.outcome !== 'skipped' && own.every(({ line }) => commands.has(line))
}
