import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkPath, maxTargetChars } from '../../test-runners/run/check-scope.ts'
import type { NamedTest, RunScope } from '../../test-runners/runner.ts'
import { runnerNamed, type RunnerName } from '../../test-runners/runners.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { defaultReportDir, reportFiles } from '../../test-runners/run/report.ts'

/** What a client asks to be run. */
export type AskedRun = RunScope | { readonly scope: 'failed' } | { readonly scope: 'changed' }

/** What is run for it. */
export interface ChosenRun {
  readonly run: RunScope
  /** For the runner, behind all other arguments. */
  readonly args: readonly string[]
  /** Which tests these are; absent where it is as asked. */
  readonly ran?: string
}

interface Place {
  readonly runner: RunnerName
  /** Absolute path of the repository. */
  readonly root: string
  /** Relative to it. */
  readonly reportDir?: string | undefined
}

/**
 * Chooses the tests to run, by means of the runner: those that the last report has as failed, or those that uncommitted changes
 * concern; the whole suite where the runner has no such means.
 *
 * @throws MdtestError `OPTION_TARGET` where no report has tests that failed, `OPTION_PATH`
 */
export async function chooseRun(asked: AskedRun, place: Place): Promise<ChosenRun> {
  switch (asked.scope) {
    case 'failed':
      return await chooseFailed(place)
    case 'changed': {
      const { changed, name } = runnerNamed(place.runner)
      const all = { scope: 'all' } as const // a literal
      if (changed === undefined)
        return { run: all, args: [], ran: `all tests: ${name} cannot tell what changes concern` }
      return { run: all, args: changed, ran: `tests that uncommitted changes concern (${changed.join(' ')})` }
    }
    default:
      return { run: asked, args: [] }
  }
}

async function chooseFailed(place: Place): Promise<ChosenRun> {
  const runner = runnerNamed(place.runner)
  const tests = await failedTests(place)
  const files = new Set(tests.map(({ file }) => file))
  const names = [...new Set(tests.flatMap(({ name, file }) => (name === file ? [] : [name])))]
  const pattern = names.length === tests.length ? runner.selectTests?.(names) : undefined
  if (pattern !== undefined && pattern.length <= maxTargetChars)
    return { run: { scope: 'pattern', target: pattern }, args: [], ran: `what failed, by ${pattern}` }
  const [file] = files
  if (files.size === 1 && file !== undefined)
    return { run: { scope: 'file', target: file }, args: [], ran: `${file}, where all stand that failed` }
  return { run: { scope: 'all' }, args: [], ran: `all tests: ${runner.name} cannot run those alone that failed` }
}

const maxSummaryBytes = 64 * 1024 * 1024

const summarySchema = z.object({
  runner: z.string(),
  failing_tests: z.array(z.object({ name: z.string(), file: z.string().exactOptional() })),
})

/** Of the newest report of this runner. */
async function failedTests({ runner, root, reportDir = defaultReportDir }: Place): Promise<readonly NamedTest[]> {
  const folder = join(root, checkPath({ name: 'report_dir', path: reportDir }, root))
  for (const name of namesIn(folder).toSorted().toReversed()) {
    const text = readForeignFile(join(folder, name, reportFiles.json), maxSummaryBytes)?.toString('utf8')
    const { data } = summarySchema.safeParse(parse(text))
    if (data?.runner !== runner) continue
    if (data.failing_tests.length > 0) return data.failing_tests
    throw none(`in the last report of ${runner}, \`${join(reportDir, name)}\`, nothing failed`)
  }
  throw none(`there is no report of ${runner} in \`${reportDir}\``)
}

function none(why: string): MdtestError {
  return new MdtestError('OPTION_TARGET', `The scope \`failed\` has no tests: ${why}.`, {
    hint: 'Run the scope `all` first.',
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // No test was run yet.
  }
}

function parse(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // A run under way, or somebody's own file.
  }
}
