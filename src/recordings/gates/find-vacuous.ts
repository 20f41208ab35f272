import { lstat, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareLines } from '../../blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../blocks/expected-output/output-lines.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { copyRoot, listCopied } from '../../scenario/workspace/copy-root.ts'
import { expectationsOf } from '../../spec/blocks/expectations-of.ts'
import { countsAsCheck } from '../../blocks/expected-output/counts-as-check.ts'
import { mapSteps, stepsOf, titledLineOf, type Block, type Spec } from '../../spec/spec.ts'
import { inParallel } from '../../system/slots-and-timers.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'
import { rehearse, type RehearsalInput, type RehearsedCommand } from './rehearse.ts'
import { refuseUntried } from './refuse-to-record.ts'
import type { CandidateStep, WrittenCandidate } from './write-candidate.ts'

export interface JudgedStep {
  readonly id: string
  readonly told: readonly ToldCommand[]
}

interface ToldCommand {
  readonly line: number
  /** Whether the command printed its expected lines, or at least a line that only the product should print. */
  isPrintedIn(ended: RehearsedCommand): boolean
}

export interface VacuityInput extends RehearsalInput {
  readonly spec: Spec
  readonly root: string
}

export async function checkRecorded(input: VacuityInput): Promise<readonly RecordingRefusal[]> {
  const { scenario } = input
  const steps = stepsOf(scenario).filter(({ replay }) => replay === 'current')
  const judged = steps.map(({ id, blocks }) => ({ id, told: blocks.flatMap(toldIn) }))
  try {
    const found = await findVacuous(judged, input)
    const message = `${comesAnyway} Record it again with \`mdtest record\`.`
    return steps
      .filter(({ id }) => found.includes(id))
      .map((step) => ({ code: 'VACUOUS', ...titledLineOf(step), message }))
  } catch (error: unknown) {
    return [refuseUntried(scenario, error)]
  }
}

function toldIn(block: Block): JudgedStep['told'] {
  if (block.isRecorded !== true || (block.kind !== 'console' && block.kind !== 'script')) return []
  const commands =
    block.kind === 'console'
      ? block.commands
      : [{ line: block.line, expected: expectationsOf(block).flatMap(({ lines }) => lines) }]
  return commands.flatMap(({ line, expected }) => {
    const isPrintedIn = ({ texts, captures }: RehearsedCommand): boolean => {
      const output = readOutput(texts.map((text) => `${text}\n`).join(''))
      return compareLines(expected, output, { captures }).status === 'match'
    }
    return !expected.some(countsAsCheck) ? [] : [{ line, isPrintedIn }]
  })
}

/** Judges steps by their quotes. A quote proves nothing if a command prints it without the product. */
export function judgedSteps(
  steps: readonly CandidateStep[],
  { commands }: Pick<WrittenCandidate, 'commands'>,
): readonly JudgedStep[] {
  const quoted = [...commands].filter(([, { quotes }]) => quotes.length > 0)
  return steps.map(({ step, pieces }) => ({
    id: step,
    told: quoted
      .filter(([, piece]) => pieces.includes(piece))
      .map(([line, { quotes }]) => {
        const isPrintedIn = ({ texts }: RehearsedCommand): boolean => {
          const printed = collapseSpace(texts.join('\n'))
          return quotes.some((quote) => printed.includes(collapseSpace(quote)))
        }
        return { line, isPrintedIn }
      }),
  }))
}

export const comesAnyway = 'One of its commands prints the same where the programs of the project do nothing.'

export async function findVacuous(steps: readonly JudgedStep[], input: VacuityInput): Promise<readonly string[]> {
  const judged = steps.filter(({ told }) => told.length > 0)
  return judged.length === 0 ? [] : findHolding(judged, input, await emptyRoot(input))
}

/** Runs recorded steps without the product. Returns ids of steps that still pass or print expected lines. */
export async function findHolding(
  steps: readonly JudgedStep[],
  input: RehearsalInput,
  place: Partial<Pick<VacuityInput, 'root' | 'spec'>> = {},
): Promise<readonly string[]> {
  const { setup, ...scenario } = mapSteps(input.scenario, (step) => ({
    ...step,
    blocks: step.blocks.flatMap(withoutService),
  }))
  const tried = { ...scenario, ...(setup && { setup: { ...setup, blocks: setup.blocks.flatMap(lenient) } }) }
  const { verdicts, commands } = await rehearse({ ...input, scenario: tried }, { ...place, afterFailure: 'continue' })
  const holds = ({ id, told }: JudgedStep): boolean =>
    verdicts.get(id)?.outcome === 'pass' ||
    told.some(({ line, isPrintedIn }) => {
      const ended = commands.get(line)
      return ended !== undefined && isPrintedIn(ended)
    })
  return steps.filter(holds).map(({ id }) => id)
}

/** Without the product, a service would never be ready, and the scenario would wait for it in vain. Drop services. */
function withoutService(block: Block): readonly Block[] {
  const { wait: _wait, ...attributes } = block.attributes
  return attributes.background === true ? [] : [{ ...block, attributes }]
}

/** Makes a setup block pass in any case, because a failed setup would end the scenario. */
function lenient(block: Block): readonly Block[] {
  if (block.kind === 'file') return [block]
  if (block.attributes.background === true) return []
  if (block.kind === 'module' || block.kind === 'browser') return []
  const code = block.kind === 'console' ? block.commands.map(({ command }) => command).join('\n') : block.code
  const { exit: _exit, stream: _stream, wait: _wait, ...attributes } = block.attributes
  const base = { ...block, role: 'run', attributes: { ...attributes, errexit: 'off' } } as const
  return [{ ...base, kind: 'script', code: `{\n${code}\n} || true\ntrue`, expected: [] }]
}

type EmptyingInput = Pick<VacuityInput, 'spec' | 'root' | 'env' | 'signal' | 'makeTempDir'>

/** Copies the root with empty files, except markdown and configuration. A step that passes there tests nothing. */
export async function emptyRoot(input: EmptyingInput): Promise<Pick<VacuityInput, 'root' | 'spec'>> {
  const { spec, root, env, signal, makeTempDir } = input
  const target = join(await makeTempDir(), 'work')
  await copyRoot({ root, target, env, signal })
  const { files } = await listCopied({ folder: target, env, signal })
  const programs = files.filter((file) => !isKept(file))
  await inParallel(programs, { signal, run: (file) => empty(join(target, file)) })
  return { root: target, spec: { ...spec, file: join(target, spec.file.slice(root.length)) } }
}

/** Whether tools need the file to start at all. An error of a tool could look like a failure of the product. */
function isKept(file: string): boolean {
  const name = basename(file)
  return /\.(?:md|lock|toml|ya?ml|ini|cfg)$/i.test(name) || projectFile.test(name)
}

const projectFile =
  /^(?:package(?:-lock)?|[jt]sconfig[\w.-]*)\.json$|^[\w.-]+\.config\.\w+$|^\.|^Makefile$|^go\.(?:mod|sum)$/

/** Deletes a file and creates an empty one, because the old file may be read-only. */
async function empty(path: string): Promise<void> {
  const stats = await lstat(path)
  if (!stats.isFile()) return
  await rm(path)
  await writeFile(path, '', { mode: stats.mode })
}
