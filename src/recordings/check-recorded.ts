import type { RecordingRefusal } from '../records/recording-refusal.ts'
import type { McpServers } from '../spec/front-matter/mcp-servers.ts'
import { expectationsOf, isTelling } from '../spec/blocks/expectations-of.ts'
import { stepsOf, titledLineOf, type Block, type Scenario } from '../spec/spec.ts'
import { openEmptiedRoot, type Programs } from './gates/emptied-root.ts'
import { refuseUntried, type Trial } from './gates/trial.ts'
import { passingWithoutProduct, type JudgedStep } from './gates/without-product.ts'
import type { RecordInput } from './record-scenario.ts'

interface CheckInput
  extends
    Pick<Trial, 'startRun' | 'signal'>,
    Pick<RecordInput, 'spec' | 'root' | 'env' | 'makeTempDir' | 'emptied' | 'mcpServers'> {
  /** With recorded blocks in the place of the agent. */
  readonly scenario: Scenario
}

/** Recorded steps that pass whatever the product does. */
export async function checkRecorded(input: CheckInput): Promise<readonly RecordingRefusal[]> {
  const { scenario, startRun, mcpServers, signal } = input
  const trial = { scenario, startRun, signal, emptiedRoot: (programs: Programs) => openEmptiedRoot(input, programs) }
  const steps = stepsOf(scenario).filter(({ replay }) => replay === 'current')
  const judged = steps.map(({ id, blocks }) => ({ id, told: blocks.flatMap((block) => toldIn(block, mcpServers)) }))
  const reasons = new Map<string, string>()
  try {
    for await (const { id, why } of passingWithoutProduct(judged, trial)) if (!reasons.has(id)) reasons.set(id, why)
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
function toldIn(block: Block, mcpServers: McpServers): JudgedStep['told'] {
  if (block.isRecorded !== true || (block.kind !== 'console' && block.kind !== 'script')) return []
  const { server = '' } = block.attributes
  const commands =
    block.kind === 'console'
      ? block.commands
      : [{ command: block.code, expected: expectationsOf(block).flatMap(({ lines }) => lines) }]
  return commands.flatMap(({ command, expected }) => {
    const words = expected.filter(isTelling)
    return words.length === 0 ? [] : [{ command, isElsewhere: 'url' in (mcpServers[server] ?? {}), words }]
  })
}
