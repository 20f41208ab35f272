import { join } from 'node:path'
import { z } from 'zod'
import { entriesOf } from '../../system/files/list-files.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { parseJson } from '../../system/text/parse-json.ts'
import type { NamedTest } from '../runner.ts'
import { checkPath } from './check-scope.ts'
import type { TestRunRequest } from './test-run.ts'

export const reportFiles = { rawLog: 'raw.log', markdown: 'summary.md', json: 'summary.json' } as const // keeps the literal types

export const defaultReportDir = '.cache/mdtest/reports'

const maxSummaryBytes = 64 * 1024 * 1024

const tests = z.array(z.object({ name: z.string(), file: z.string().exactOptional() }))

const summarySchema = z.object({
  runner: z.string(),
  status: z.enum(['pass', 'fail', 'timeout', 'no_output', 'error']),
  failing_tests: tests,
  still_failing: tests.default([]),
})

export interface LastReport extends Pick<z.infer<typeof summarySchema>, 'status'> {
  readonly dir: string
  /** Tests that failed when they last ran, in this run or before. */
  readonly failing: readonly NamedTest[]
}

type Place = Pick<TestRunRequest, 'runner' | 'reportDir'> & { readonly root: string }

/** The newest report of this runner. Foreign files do not count. */
export function lastReport({ runner, root, reportDir = defaultReportDir }: Place): LastReport | undefined {
  const folder = join(root, checkPath({ name: 'report_dir', path: reportDir }, root))
  const names = entriesOf(folder).map(({ name }) => name)
  for (const name of names.toSorted().toReversed()) {
    const text = readForeignFile(join(folder, name, reportFiles.json), maxSummaryBytes)?.toString('utf8')
    const { data } = summarySchema.safeParse(parseJson(text))
    if (data?.runner !== runner) continue
    return { dir: join(reportDir, name), status: data.status, failing: [...data.failing_tests, ...data.still_failing] }
  }
  return undefined
}
