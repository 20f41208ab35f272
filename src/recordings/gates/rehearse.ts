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
  /** For a line of a browser block: the page's lines before and after it. */
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

/** Runs a scenario like a replay and collects outputs. Home and user are new each time, so that their names differ. */
export async function rehearse(
  { scenario, startRun, makeTempDir, env, signal }: RehearsalInput,
  other: Partial<Pick<ScenarioInput, 'root' | 'spec' | 'afterFailure'>> = {},
): Promise<Rehearsal> {
  const commands = new Map<number, RehearsedCommand>()
  let page: readonly string[] = []
  const home = await makeTempDir()
  // Use a prefix, because a bare number would also match in clocks and counts.
  const user = `tester-${basename(home)}`
  const places = [home, user]
  const run = startRun({
    scenario,
    env: { ...env, HOME: home, USER: user },
    onBlocks: async (directory) => void places.push(directory),
    async onCommand({ block, line, exitCode, printed, captures, passwords = [] }: EndedCommand) {
      if (block.isRecorded !== true) return
      // Ignore a missing newline at the end, because agents do not see it.
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
