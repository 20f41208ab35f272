import type { RecordingRefusal } from '../records/recording-refusal.ts'
import { lineOf, stepsOf, type Scenario, type Spec, type Step } from '../spec/spec.ts'
import { allPrograms, openEmptiedRoot, type Programs } from './gates/emptied-root.ts'
import type { McpServers } from '../spec/front-matter/mcp-servers.ts'
import { isOfPackage } from './gates/find-vacuous.ts'
import { findPassing } from './gates/find-passing.ts'
import type { StartRehearsal } from './gates/rehearse.ts'

interface CheckInput {
  readonly spec: Spec
  /** With recorded blocks in the place of the agent. */
  readonly scenario: Scenario
  readonly startRun: StartRehearsal
  /** Those that recorded blocks may call. */
  readonly mcpServers: McpServers
  /** Absolute path of the suite root. */
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Makes an empty private directory. */
  makeTempDir(): Promise<string>
  readonly signal: AbortSignal
}

const message =
  'What is recorded of it passes without the product, too: all files of the project were empty, or its programs did nothing or failed. Record it again with `mdtest record`.'

/** Recorded steps that pass whatever the product does. What is shown in a browser was never there without it. */
export async function checkRecorded(input: CheckInput): Promise<readonly RecordingRefusal[]> {
  const { scenario, startRun, signal } = input
  const steps = stepsOf(scenario).filter(
    ({ replay, blocks }) =>
      replay === 'current' && !blocks.some((block) => block.isRecorded && block.kind === 'browser'),
  )
  const found = new Map<string, RecordingRefusal>()
  for (const programs of allPrograms) {
    const root = await openEmptiedRoot(input, programs)
    const judged = steps.filter((step) => isJudged(step, programs, input))
    const ids = judged.map(({ id }) => id)
    const passing = await findPassing(ids, { scenario, startRun, root, signal })
    for (const step of judged.filter(({ id }) => passing.includes(id)))
      found.set(step.id, { code: 'VACUOUS', step: step.title, ...lineOf(step), message })
  }
  return [...found.values()]
}

/** As when it was recorded: what runs elsewhere is never gone, and of packages of others the data are the product. */
function isJudged({ blocks }: Step, programs: Programs, { mcpServers }: Pick<CheckInput, 'mcpServers'>): boolean {
  const told = blocks.flatMap((block) => {
    if (block.isRecorded !== true || block.kind !== 'console') return []
    const { server = '' } = block.attributes
    return block.commands
      .filter(({ expected }) => expected.some((line) => line !== '...'))
      .map(({ command }) => ({ command, isElsewhere: 'url' in (mcpServers[server] ?? {}) }))
  })
  if (told.length > 0 && told.every(({ isElsewhere }) => isElsewhere)) return false
  return programs === 'silent' || !told.some(({ command }) => isOfPackage(command))
}
