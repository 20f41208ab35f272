import { relative } from 'node:path'
import { z } from 'zod'

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullable(),
        }),
      ),
    }),
  ),
})

interface ReportedTest {
  readonly titles: readonly string[]
  readonly status: string
  /** Errors with their stacks. */
  readonly failures: readonly string[]
}

/** What Vitest's JSON report says of one file. */
export interface SpecReport {
  readonly status: string
  /** Titles from the top, and how each test ended. */
  readonly tests: readonly ReportedTest[]
  /** All messages of the file and its tests. */
  readonly message: string
}

/** The JSON report by path relative to `dir`; other output may stand before it. */
export function readSpecReports(stdout: string, dir: string): ReadonlyMap<string, SpecReport> {
  const text = stdout.slice(stdout.indexOf('{"num'), stdout.lastIndexOf('}') + 1)
  const { testResults } = report.parse(JSON.parse(text))
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => [
      relative(dir, name),
      {
        status,
        tests: assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
          titles: [...ancestorTitles, title],
          status,
          failures: failureMessages ?? [],
        })),
        message: [message, ...assertionResults.flatMap((test) => test.failureMessages ?? [])].join('\n'),
      },
    ]),
  )
}
