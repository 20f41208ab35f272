import { join } from 'node:path'
import { z } from 'zod'
import { entriesOf } from '../../system/files/list-files.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { parseJson } from '../../test-runners/readers/reading.ts'
import { checkPath, maxTargetChars } from '../../test-runners/run/check-scope.ts'
import { defaultReportDir, reportFiles } from '../../test-runners/run/report.ts'
import type { NamedTest, RunScope } from '../../test-runners/runner.ts'
import { runnerNamed, type RunnerName } from '../../test-runners/runners.ts'

export type AskedRun = RunScope | { readonly scope: 'failed' } | { readonly scope: 'changed' }

interface ChosenRun {
  readonly run: RunScope
  /** For the runner, behind all other arguments. */
  readonly args?: readonly string[]
  /** Which tests these are; absent where it is as asked. */
  readonly ran?: string
}

interface Place {
  readonly runner: RunnerName
  readonly root: string
  readonly reportDir?: string | undefined
}

/**
 * Chooses the tests to run, by means of the runner: those that the last report has as failed, or those that uncommitted changes
 * concern; the whole suite where the runner has no such means.
 *
 * @throws MdtestError `OPTION_TARGET` where no report has tests that failed, `OPTION_PATH`
 */
export function chooseRun(asked: AskedRun, place: Place): ChosenRun {
  if (asked.scope === 'failed') return chooseFailed(place)
  if (asked.scope !== 'changed') return { run: asked }
  const { changed, name } = runnerNamed(place.runner)
  const run = { scope: 'all' } as const // a literal
  if (changed === undefined) return { run, ran: `all tests: ${name} cannot tell what changes concern` }
  return { run, args: changed, ran: `tests that uncommitted changes concern (${changed.join(' ')})` }
}

function chooseFailed(place: Place): ChosenRun {
  const runner = runnerNamed(place.runner)
  const tests = failedTests(place)
  const names = [...new Set(tests.flatMap(({ name, file }) => (name === file ? [] : [name])))]
  const pattern = names.length === tests.length ? runner.selectTests?.(names) : undefined
  if (pattern !== undefined && pattern.length <= maxTargetChars)
    return { run: { scope: 'pattern', target: pattern }, ran: `what failed, by ${pattern}` }
  const [file, ...others] = new Set(tests.map((test) => test.file))
  if (file !== undefined && others.length === 0)
    return { run: { scope: 'file', target: file }, ran: `${file}, where all stand that failed` }
  return { run: { scope: 'all' }, ran: `all tests: ${runner.name} cannot run those alone that failed` }
}

const maxSummaryBytes = 64 * 1024 * 1024

const summarySchema = z.object({
  runner: z.string(),
  failing_tests: z.array(z.object({ name: z.string(), file: z.string().exactOptional() })),
})

/** Of the newest report of this runner. A run under way, or somebody's own file, has none. */
function failedTests({ runner, root, reportDir = defaultReportDir }: Place): readonly NamedTest[] {
  const folder = join(root, checkPath({ name: 'report_dir', path: reportDir }, root))
  const names = entriesOf(folder).map(({ name }) => name)
  for (const name of names.toSorted().toReversed()) {
    const text = readForeignFile(join(folder, name, reportFiles.json), maxSummaryBytes)?.toString('utf8')
    const { data } = summarySchema.safeParse(parseJson(text))
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
