import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { Project } from './create-project.ts'

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
          location: z.object({ line: z.number() }).nullable(),
        }),
      ),
    }),
  ),
})

/** What matters of one test in Jest's JSON report. */
export interface JestTest {
  readonly name: string
  readonly status: string
  readonly line: number | undefined
  /** Message and stack of its failure. */
  readonly failure: string | undefined
}

/** A spec as Jest reports it. */
export interface JestSpec {
  readonly tests: readonly JestTest[]
  /** What went wrong outside of its tests, and all failures. */
  readonly message: string
}

/** Runs Jest and gives the specs by the base name of their file. */
export async function runJest(
  project: Project,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly specs: Readonly<Record<string, JestSpec>>
  readonly all: string
  readonly exitCode: number | undefined
}> {
  const file = project.path('.report.jest.json')
  const cache = project.path('node_modules/.jest-cache')
  const { all, exitCode } = await project.jest(
    ['--testLocationInResults', '--json', `--outputFile=${file}`, `--cacheDirectory=${cache}`, ...args],
    { env },
  )
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`Jest wrote no report: ${all}`)
  })
  const specs = report.parse(JSON.parse(text)).testResults.map(({ name, message, assertionResults }) => {
    const tests = assertionResults.map(({ ancestorTitles, title, status, location, failureMessages }) => ({
      name: [...ancestorTitles, title].join(' > '),
      status,
      line: location?.line,
      failure: failureMessages[0],
    }))
    return [basename(name), { tests, message }] as const // pairs, not lists
  })
  return { specs: Object.fromEntries(specs), all, exitCode }
}
