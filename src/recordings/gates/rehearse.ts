import { basename } from 'node:path'
import { readOutput } from '../../blocks/expected-output/output-lines.ts'
import { writeOutput } from '../../blocks/expected-output/write-expected.ts'
import type { EndedCommand } from '../../blocks/block-finding.ts'
import type { ScenarioInput } from '../../scenario/scenario-input.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import type { Verdict } from '../../verdict/verdict.ts'

export interface RehearsedCommand {
  readonly lines: readonly string[]
  readonly texts: readonly string[]
  readonly exitCode: number
  readonly captures: ReadonlyMap<string, string>
  /** For a line of a browser block: the text lines of the page before and after it. */
  readonly pages?: {
    readonly before: readonly string[]
    readonly after: readonly string[]
    readonly passwords: readonly string[]
  }
}

export interface Rehearsal {
  readonly verdicts: ReadonlyMap<string, Verdict>
  readonly commands: ReadonlyMap<number, RehearsedCommand>
  readonly places: readonly string[]
  readonly problem?: string
}

export interface RehearsalInput {
  readonly scenario: Scenario
  startRun(
    input: Pick<ScenarioInput, 'scenario' | 'onCommand' | 'onBlocks'> &
      Partial<Pick<ScenarioInput, 'root' | 'spec' | 'env' | 'afterFailure'>>,
  ): Pick<ScenarioRun, 'settle' | 'finish'>
  makeTempDir(): Promise<string>
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** Runs a scenario as a replay would, and collects outputs. Home and user have new names in each execution. */
export async function rehearse(
  { scenario, startRun, makeTempDir, env, signal }: RehearsalInput,
  other: Partial<Pick<ScenarioInput, 'root' | 'spec' | 'afterFailure'>> = {},
): Promise<Rehearsal> {
  const commands = new Map<number, RehearsedCommand>()
  let page: readonly string[] = []
  const home = await makeTempDir()
  // A bare number would also be found in times and counts, so the user name has a prefix.
  const user = `tester-${basename(home)}`
  const places = [home, user]
  const run = startRun({
    scenario,
    env: { ...env, HOME: home, USER: user },
    onBlocks: async (directory) => void places.push(directory),
    async onCommand({ block, line, exitCode, printed, captures, passwords = [] }: EndedCommand) {
      if (block.isRecorded !== true) return
      // Agents do not see whether an output ends in a newline, so a missing newline does not matter.
      const output = { ...readOutput(printed), isUnfinished: false }
      const texts = output.lines.map((one) => Buffer.from(one).toString('utf8'))
      const pages = block.kind === 'browser' ? { before: page, after: readOutput(printed).lines, passwords } : undefined
      page = pages?.after ?? page
      commands.set(line, { lines: writeOutput(output), texts, exitCode, captures, ...(pages && { pages }) })
    },
    ...other,
  })
  const verdicts = new Map<string, Verdict>()
  try {
    for (const { ordinal, id } of stepsOf(scenario)) verdicts.set(id, (await run.settle(ordinal, signal)).verdict)
  } finally {
    await run.finish()
  }
  const [problem] = [...verdicts.values()].flatMap(({ outcome, reasons }) => (outcome === 'fail' ? reasons : []))
  return { verdicts, commands, places: [...new Set(places)], ...(problem && { problem: problem.message }) }
}
