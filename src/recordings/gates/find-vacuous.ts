import { stepsOf, type Block, type Step } from '../../spec/spec.ts'
import { collapseSpace } from '../collapse-space.ts'
import type { CandidateStep, WrittenCandidate } from './candidate.ts'
import { rehearse, type RehearsalInput, type Rehearsal, type RehearsedCommand } from './rehearse.ts'
import type { Trial } from './trial.ts'
import { onlyJudging } from './variants.ts'

/** A step with recorded blocks, as far as it is judged. */
export interface JudgedStep {
  readonly id: string
  /** Its commands that have to print something. */
  readonly told: readonly ToldCommand[]
}

interface ToldCommand {
  readonly command: string
  /** What it asks runs by itself: it is there without the files of the project, too. */
  readonly isElsewhere: boolean
  /** Line of the recording on which it stands. */
  readonly line: number
  /** What it has to print. */
  readonly words: readonly string[]
  /** Whether it printed that, or a part of it that has to be the product's doing. */
  isPrintedIn(ended: RehearsedCommand): boolean
}

type VacuousInput = Omit<RehearsalInput, 'root'> & Pick<Trial, 'emptiedRoot'>

const comesAnyway = 'One of its commands prints the same where the programs of the project do nothing.'
const echoes = 'A tool gave back what it was given, whatever the product does.'

/**
 * Steps of which something that is expected comes whatever the product does, with a sentence that says why. What an
 * application shows in a browser was told apart from its start already: without it no page opens at all.
 */
export async function findVacuous(
  steps: readonly JudgedStep[],
  { emptiedRoot, ...input }: VacuousInput,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map(steps.filter(isEchoed).map(({ id }) => [id, echoes]))
  const judged = steps.filter(({ told }) => !told.every(({ isElsewhere }) => isElsewhere))
  if (judged.length === 0) return found
  for (const id of await findHolding(judged, { ...input, root: await emptiedRoot() })) found.set(id, comesAnyway)
  return found
}

/** Steps as they are judged by what the agent quoted: no quote may come anyway. */
export function judgedSteps(
  steps: readonly CandidateStep[],
  { commands }: Pick<WrittenCandidate, 'commands'>,
): readonly JudgedStep[] {
  const quoted = [...commands].filter(([, { quotes }]) => quotes.length > 0)
  return steps.map(({ step, pieces }) => ({
    id: step,
    told: quoted
      .filter(([, piece]) => pieces.includes(piece))
      .map(([line, { command, isElsewhere = false, quotes }]) => ({
        ...{ line, command, isElsewhere, words: quotes },
        isPrintedIn({ texts }) {
          const printed = collapseSpace(texts.join('\n'))
          return quotes.some((quote) => printed.includes(collapseSpace(quote)))
        },
      })),
  }))
}

/** Whether all that was told is of servers that run by themselves, and stands in the calls. */
function isEchoed({ told }: JudgedStep): boolean {
  return (
    told.length > 0 &&
    told.every(({ isElsewhere, command, words }) => isElsewhere && words.every((one) => command.includes(one)))
  )
}

/**
 * Ids of the steps that pass by themselves, or of which a command prints what it has to, whatever comes of those before
 * them. As many as can be are judged in one execution: one that was not run there is judged in a further one.
 *
 * @param steps with recorded blocks
 */
export async function findHolding(steps: readonly JudgedStep[], input: RehearsalInput): Promise<readonly string[]> {
  const { scenario } = input
  const told = new Map(steps.map((step) => [step.id, step.told]))
  const holding: string[] = []
  let left = stepsOf(scenario).filter(({ id }) => told.has(id))
  while (left.length > 0) {
    const together = judgedTogether(left)
    const variant = onlyJudging(
      scenario,
      together.map(({ id }) => id),
    )
    const rehearsal = await rehearse({ ...input, scenario: variant, afterFailure: 'continue' })
    const lost = together.findIndex((step) => !wasRun(step, rehearsal))
    // The first has the shell as nobody else could leave it: whatever came of it is its own.
    const judged = lost === -1 ? together : together.slice(0, Math.max(1, lost))
    holding.push(...judged.map(({ id }) => id).filter((id) => holds({ id, told: told.get(id) ?? [] }, rehearsal)))
    left = left.slice(judged.length)
  }
  return holding
}

function holds({ id, told }: JudgedStep, { verdicts, commands }: Rehearsal): boolean {
  if (verdicts.get(id)?.outcome === 'pass') return true
  return told.some(({ line, isPrintedIn }) => {
    const ended = commands.get(line)
    return ended !== undefined && isPrintedIn(ended)
  })
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
  return verdicts.get(id)?.outcome !== 'skipped' && commandsOf(blocks).every(({ line }) => commands.has(line))
}

function commandsOf(blocks: readonly Block[]): Extract<Block, { kind: 'console' }>['commands'] {
  return blocks.flatMap((block) => (block.isRecorded && block.kind === 'console' ? block.commands : []))
}
