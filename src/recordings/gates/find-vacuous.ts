import type { Trial } from './trial.ts'
import { rehearse, type RehearsalInput, type RehearsedCommand } from './rehearse.ts'
import type { CandidateStep, WrittenCandidate } from './candidate.ts'
import { collapseSpace } from '../collapse-space.ts'
import { mapSteps, type Block, type Spec } from '../../spec/spec.ts'
import { inParallel } from '../../system/concurrency.ts'
import { copyRoot, listCopied } from '../../scenario/workspace/copy-root.ts'
import { basename, join } from 'node:path'
import { lstat, rm, writeFile } from 'node:fs/promises'

/** A step with recorded blocks, as far as it is judged. */
export interface JudgedStep {
  readonly id: string
  /** Its commands that have to print something. */
  readonly told: readonly ToldCommand[]
}

interface ToldCommand {
  readonly command: string
  /** Line of the recording on which it stands. */
  readonly line: number
  /** What it has to print. */
  readonly words: readonly string[]
  /** Whether it printed that, or a part of it that has to be the product's doing. */
  isPrintedIn(ended: RehearsedCommand): boolean
}

type VacuousInput = Omit<RehearsalInput, 'root'> & Pick<Trial, 'emptiedRoot'>

const comesAnyway = 'One of its commands prints the same where the programs of the project do nothing.'

/**
 * Steps of which something that is expected comes whatever the product does, with a sentence that says why. What an
 * application shows in a browser was told apart from its start already: without it no page opens at all.
 */
export async function findVacuous(
  steps: readonly JudgedStep[],
  { emptiedRoot, ...input }: VacuousInput,
): Promise<ReadonlyMap<string, string>> {
  const judged = steps.filter(({ told }) => told.length > 0)
  if (judged.length === 0) return new Map()
  const holding = await findHolding(judged, { ...input, root: await emptiedRoot() })
  return new Map(holding.map((id) => [id, comesAnyway]))
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
      .map(([line, { command, quotes }]) => ({
        ...{ line, command, words: quotes },
        isPrintedIn({ texts }) {
          const printed = collapseSpace(texts.join('\n'))
          return quotes.some((quote) => printed.includes(collapseSpace(quote)))
        },
      })),
  }))
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
  if (block.attributes.background === true) return []
  if (block.kind === 'module' || block.kind === 'browser') return []
  const code = block.kind === 'console' ? block.commands.map(({ command }) => command).join('\n') : block.code
  const { exit: _exit, stream: _stream, wait: _wait, ...attributes } = block.attributes
  const base = { ...block, role: 'run', attributes: { ...attributes, errexit: 'off' } } as const // literal values
  return [{ ...base, kind: 'script', code: `{\n${code}\n} || true\ntrue`, expected: [] }]
}

interface EmptiedRootInput {
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** A root without the product, and the spec in it. */
interface EmptiedRoot {
  readonly root: string
  readonly spec: Spec
}

interface SpecInRoot extends Pick<EmptiedRootInput, 'root' | 'env' | 'signal'> {
  readonly spec: Spec
  /** Makes an empty private directory. */
  makeTempDir(): Promise<string>
}

/** A copy of the root in which the programs of the project do nothing. */
export async function openEmptiedRoot({ spec, makeTempDir, ...input }: SpecInRoot): Promise<EmptiedRoot> {
  const target = join(await makeTempDir(), 'work')
  await makeEmptiedRoot({ ...input, target })
  return { root: target, spec: { ...spec, file: join(target, spec.file.slice(input.root.length)) } }
}

/**
 * Makes a copy of the suite root in which all files but markdown and configuration are empty: such a program does nothing
 * and ends well. What still holds there was never the product's doing.
 */
export async function makeEmptiedRoot(input: EmptiedRootInput): Promise<void> {
  const { target, env, signal } = input
  await copyRoot(input)
  const { files } = await listCopied({ folder: target, env, signal })
  await inParallel(
    files.filter((file) => !isKept(file)),
    { signal, run: (file) => empty(join(target, file)) },
  )
}

/** Without these no product could even be started: an error of its tools would look like one of its own. */
function isKept(file: string): boolean {
  const name = basename(file)
  return (
    /\.(?:md|lock|toml|ya?ml|ini|cfg)$/i.test(name) ||
    /^(?:package(?:-lock)?|[jt]sconfig[\w.-]*)\.json$|^[\w.-]+\.config\.\w+$|^\.|^Makefile$|^go\.(?:mod|sum)$/.test(
      name,
    )
  )
}

/** A new file takes its place: the copy may share its blocks with the original, or be read-only. */
async function empty(path: string): Promise<void> {
  const stats = await lstat(path)
  // Links are left alone.
  if (!stats.isFile()) return
  await rm(path)
  await writeFile(path, '', { mode: stats.mode })
}
