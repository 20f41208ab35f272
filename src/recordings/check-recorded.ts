import type { RecordingRefusal } from '../records/recorded-reason.ts'
import { expectationsOf, isTelling } from '../spec/blocks/expectations-of.ts'
import { stepsOf, titledLineOf, type Block, type Scenario } from '../spec/spec.ts'
import { compareLines } from '../blocks/expected-output/compare-lines.ts'
import { readOutput } from '../blocks/expected-output/output-lines.ts'
import type { RehearsedCommand } from './gates/rehearse.ts'
import { openEmptiedRoot, findVacuous, type JudgedStep } from './gates/find-vacuous.ts'
import { refuseUntried, type Trial } from './gates/trial.ts'
import type { RecordInput } from './record-scenario.ts'

interface CheckInput
  extends Pick<Trial, 'startRun' | 'signal'>, Pick<RecordInput, 'spec' | 'root' | 'env' | 'makeTempDir'> {
  /** With recorded blocks in the place of the agent. */
  readonly scenario: Scenario
}

/** Recorded steps that pass whatever the product does. */
export async function checkRecorded(input: CheckInput): Promise<readonly RecordingRefusal[]> {
  const { scenario } = input
  const steps = stepsOf(scenario).filter(({ replay }) => replay === 'current')
  const judged = steps.map(({ id, blocks }) => ({ id, told: blocks.flatMap((block) => toldIn(block)) }))
  let reasons: ReadonlyMap<string, string>
  try {
    const trial = { ...input, makeHome: input.makeTempDir, emptiedRoot: () => openEmptiedRoot(input) }
    reasons = await findVacuous(judged, trial)
  } catch (error: unknown) {
    return [refuseUntried(scenario, error)]
  }
  return steps.flatMap((step): readonly RecordingRefusal[] => {
    const why = reasons.get(step.id)
    if (why === undefined) return []
    return [{ code: 'VACUOUS', ...titledLineOf(step), message: `${why} Record it again with \`mdtest record\`.` }]
  })
}

/** As when it was recorded: what is judged is what has to be printed. */
function toldIn(block: Block): JudgedStep['told'] {
  if (block.isRecorded !== true || (block.kind !== 'console' && block.kind !== 'script')) return []
  const commands =
    block.kind === 'console'
      ? block.commands
      : [{ command: block.code, line: block.line, expected: expectationsOf(block).flatMap(({ lines }) => lines) }]
  return commands.flatMap(({ command, line, expected }) => {
    const words = expected.filter(isTelling)
    if (words.length === 0) return []
    return [{ command, line, words, isPrintedIn: (ended) => isMatch(expected, ended) }]
  })
}

function isMatch(expected: readonly string[], { texts, captures }: RehearsedCommand): boolean {
  const output = readOutput(texts.map((text) => `${text}\n`).join(''))
  return compareLines(expected, output, { captures }).status === 'match'
}
