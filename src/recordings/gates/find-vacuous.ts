import { mapSteps, type Block } from '../../spec/spec.ts'
import { collapseSpace } from '../collapse-space.ts'
import type { CandidateStep, WrittenCandidate } from './candidate.ts'
import { rehearse, type RehearsalInput, type RehearsedCommand } from './rehearse.ts'
import type { Trial } from './trial.ts'

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
 * Ids of the steps that pass without the product, or of which a command prints what it has to.
 *
 * @param steps with recorded blocks
 */
export async function findHolding(steps: readonly JudgedStep[], input: RehearsalInput): Promise<readonly string[]> {
  const { setup, ...scenario } = mapSteps(input.scenario, (step) => ({
    ...step,
    blocks: step.blocks.flatMap(withoutService),
  }))
  const tried = { ...scenario, ...(setup && { setup: { ...setup, blocks: setup.blocks.flatMap(lenient) } }) }
  const { verdicts, commands } = await rehearse({ ...input, scenario: tried, afterFailure: 'continue' })
  const holds = ({ id, told }: JudgedStep): boolean =>
    verdicts.get(id)?.outcome === 'pass' ||
    told.some(({ line, isPrintedIn }) => {
      const ended = commands.get(line)
      return ended !== undefined && isPrintedIn(ended)
    })
  return steps.filter(holds).map(({ id }) => id)
}

/** A service of the product is never ready here: to wait for it would end the scenario. */
function withoutService(block: Block): readonly Block[] {
  const { wait: _wait, ...attributes } = block.attributes
  return attributes.background === true ? [] : [{ ...block, attributes }]
}

/** A block of the set-up that cannot fail: its failure would end the scenario. */
function lenient(block: Block): readonly Block[] {
  if (block.kind === 'file') return [block]
  if (block.attributes.server !== undefined || block.attributes.background === true) return []
  if (block.kind === 'module' || block.kind === 'browser') return []
  const code = block.kind === 'console' ? block.commands.map(({ command }) => command).join('\n') : block.code
  const { exit: _exit, stream: _stream, wait: _wait, ...attributes } = block.attributes
  const base = { ...block, role: 'run', attributes: { ...attributes, errexit: 'off' } } as const // literal values
  return [{ ...base, kind: 'script', code: `{\n${code}\n} || true\ntrue`, expected: [] }]
}
