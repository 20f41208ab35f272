import { basename } from 'node:path'
import { z } from 'zod'

const reason = z.object({ code: z.string(), message: z.string(), line: z.number().optional() })

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          location: z.object({ line: z.number() }).optional(),
          meta: z
            .object({
              mdtest: z
                .object({
                  outcome: z.string(),
                  assurance: z.string().optional(),
                  log: z.string().optional(),
                  flaky: z.boolean().optional(),
                  rate: z.record(z.string(), z.number()).optional(),
                  usage: z.record(z.string(), z.unknown()).optional(),
                  reasons: z.array(reason),
                  expected: z.array(reason).optional(),
                })
                .optional(),
            })
            .optional(),
        }),
      ),
    }),
  ),
})

/** What matters of one test in Vitest's JSON report. */
export interface ReportedTest {
  readonly name: string
  readonly status: string
  readonly line: number | undefined
  readonly outcome: string | undefined
  readonly assurance: string | undefined
  readonly codes: readonly string[]
  /** Messages of the reasons; absent where there are none. */
  readonly messages?: readonly string[]
  /** Lines of the reasons in the spec; absent where there are none. */
  readonly lines?: readonly (number | undefined)[]
  /** What failed as expected. */
  readonly expected?: readonly { readonly code: string; readonly line?: number | undefined }[]
  /** The agent's result log, relative to the root. */
  readonly log?: string
  /** Present on a pass that took several tries. */
  readonly flaky?: boolean
  /** How often it passed, where its scenario is run several times. */
  readonly rate?: Readonly<Record<string, number>>
  /** What the scenario's agent used, where it is reported with this test. */
  readonly usage?: Readonly<Record<string, unknown>>
}

/** Tests by the base name of their file. */
export function readJsonReport(stdout: string): Readonly<Record<string, readonly ReportedTest[]>> {
  return Object.fromEntries(readTestFiles(stdout).map(({ file, tests }) => [basename(file), tests]))
}

/** Tests of each file, whose path is absolute. */
export function readTestFiles(
  stdout: string,
): readonly { readonly file: string; readonly tests: readonly ReportedTest[] }[] {
  const start = stdout.indexOf('{"num')
  const { testResults } = report.parse(JSON.parse(stdout.slice(start, stdout.lastIndexOf('}') + 1)))
  return testResults.map(({ name: file, assertionResults }) => ({
    file,
    tests: assertionResults.map(({ ancestorTitles, title, status, location, meta }) => ({
      name: [...ancestorTitles, title].join(' > '),
      status,
      line: location?.line,
      outcome: meta?.mdtest?.outcome,
      assurance: meta?.mdtest?.assurance,
      codes: meta?.mdtest?.reasons.map(({ code }) => code) ?? [],
      ...(meta?.mdtest?.reasons.length && {
        messages: meta.mdtest.reasons.map(({ message }) => message),
        lines: meta.mdtest.reasons.map(({ line }) => line),
      }),
      ...(meta?.mdtest?.expected && { expected: meta.mdtest.expected }),
      ...(meta?.mdtest?.log !== undefined && { log: meta.mdtest.log }),
      ...(meta?.mdtest?.flaky !== undefined && { flaky: meta.mdtest.flaky }),
      ...(meta?.mdtest?.rate && { rate: meta.mdtest.rate }),
      ...(meta?.mdtest?.usage && { usage: meta.mdtest.usage }),
    })),
  }))
}

/** `outcome assurance` or `outcome CODE …` of every test of a file, in order. */
export function verdictsOf(stdout: string, file: string): readonly string[] {
  const tests = readJsonReport(stdout)[file] ?? []
  return tests.map(({ outcome = 'none', assurance, codes }) => [outcome, assurance ?? codes].flat().join(' '))
}
