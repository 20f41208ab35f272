import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { executedTests, type ExecutedTests } from '../../test-runners/executed-tests.ts'
import { readJunitTests } from '../../test-runners/readers/junit-xml.ts'
import { readConsoleCounts } from '../../test-runners/console-counts.ts'
import type { Runner, RunnerOutput, RunnerResults, TestCounts } from '../../test-runners/runner.ts'
import { runnerNamed } from '../../test-runners/runners.ts'
import type { GateCommand } from '../project-config/gate-config.ts'
import { parseJson, readResultsFile, resultsOf } from '../../test-runners/readers/reading.ts'
import { findRunnerInCommand } from '../../test-runners/find-runner.ts'

/** The command of the test gate, with what makes its runner name each test. */
export interface NamingCommand {
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly read: (output: RunnerOutput) => Promise<NamedResults>
}

export interface NamedResults {
  readonly results: RunnerResults
  /** Tests by name: counts are what the output tells people, and may count files, too. */
  readonly executed: ExecutedTests
  readonly problem?: string
}

const [pytest, go] = [runnerNamed('pytest'), runnerNamed('go')]

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) })

/** Makes it: by the runner that the configuration names, else by the one that the command starts, if that is known. */
export async function nameTests(
  { argv, shown, runner, junit }: GateCommand,
  { root, resultsDir }: { readonly root: string; readonly resultsDir: string },
): Promise<NamingCommand> {
  if (runner !== undefined) {
    const { buildCommand, readResults } = runnerNamed(runner)
    const { argv: built, env = {} } = buildCommand({ run: { scope: 'all' }, resultsDir, root })
    return { argv: built, env, read: async (output) => withNames(await readResults(output)) }
  }
  if (junit !== undefined) return { argv, env: {}, read: (output) => readJunit(junit, output) }
  const manifest = manifestSchema.safeParse(
    parseJson(await readFile(join(root, 'package.json'), 'utf8').catch(() => '')),
  )
  const scripts = manifest.data?.scripts ?? {}
  const found = findRunnerInCommand({ text: shown, argv, scripts, resultsDir })
  if (found === undefined) {
    // What a script or a Makefile starts reads them as well.
    const asked = { ...pytest.reporting(resultsDir).env, ...go.reporting(resultsDir).env }
    return { argv, env: asked, read: (output) => readBoth(pytest, output) }
  }
  return { argv: found.argv, env: found.env, read: (output) => readBoth(found.runner, output) }
}

function withNames(results: RunnerResults): NamedResults {
  return { results, executed: executedTests(results) }
}

/** A command may start more than this runner: then its output counts more tests than have a name. */
async function readBoth(runner: Runner, output: RunnerOutput): Promise<NamedResults> {
  const [named, told] = [await runner.readResults(output), readConsoleCounts(output.stdout)]
  const results = { ...named, counts: told ?? named.counts }
  if (named.counts === null || told === null) return withNames(results)
  const executed = ({ total, skipped }: TestCounts): number => (runner.countsFiles === true ? 0 : total - skipped)
  const hasMore = told.failed > named.counts.failed || executed(told) > executed(named.counts)
  return hasMore ? withNames(results) : { results, executed: executedTests(named) }
}

/** Of a report that the command wrote, not of an older one. `name` is relative to the root. */
async function readJunit(name: string, output: RunnerOutput): Promise<NamedResults> {
  const file = join(output.root, name)
  const writtenAtMs = (await stat(file).catch(() => undefined))?.mtimeMs
  const isOld = writtenAtMs !== undefined && writtenAtMs < output.startedAtMs - clockStepMs
  const tests = writtenAtMs === undefined || isOld ? undefined : readJunitTests(await readResultsFile(file))
  if (tests === undefined) {
    const why = isOld ? 'is of an earlier run' : writtenAtMs === undefined ? 'is not there' : 'is none, or half of one'
    const problem = `The report of \`junit\`, \`${name}\`, ${why}: let the command of the test gate write it.`
    return { ...withNames({ counts: readConsoleCounts(output.stdout), failingTests: [] }), problem }
  }
  const told = tests.map(({ status, attributes: { classname, name = '', file: path }, message, text }) => ({
    status,
    name: [classname, name].filter(Boolean).join(' > '),
    file: path,
    message: message || text,
  }))
  return withNames(resultsOf(told))
}

/** Clocks of file systems go in steps. */
const clockStepMs = 20
