import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readSpecReports, type SpecReport } from '../support/spec-reports.ts'
import { adaptMdx } from './adapt-mdx.ts'
import { adaptScrut } from './adapt-scrut.ts'
import { knownFailures } from './known-failures.ts'

// Test suites of other tools: a folder for each, with their markdown files. docs/coming-from.md says where they come from.
const root = process.env.MDTEST_FOREIGN_SUITES
const adapters = { scrut: adaptScrut, mdx: adaptMdx }
const suites = Object.keys(adapters) as readonly (keyof typeof adapters)[] // its own keys

/** What is not known of a suite, and how many tests ended how. */
async function runSuite(suite: keyof typeof adapters): Promise<{ failures: readonly string[]; counts: object }> {
  const folder = join(root ?? '', suite)
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const specs = files.map((name) => {
    const text = adapters[suite](readFileSync(join(folder, name), 'utf8'))
    return [name.replace(/\.md$/, '.test.md'), text] as const
  })
  await using project = await createProject({ 'vitest.config.js': plainConfig, ...Object.fromEntries(specs) })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  const reports = [...readSpecReports(stdout, project.dir)]
  const failures = reports.flatMap(([name, report]) => failuresOf(name.replace(/\.test\.md$/, '.md'), report))
  const passing = reports.filter(([, { status, tests }]) => status === 'passed' && tests.length > 0)
  const statuses = reports.flatMap(([, { tests }]) => tests.map(({ status }) => status))
  const count = (status: string): number => statuses.filter((one) => one === status).length
  return {
    failures,
    counts: {
      files: files.length,
      'all passed': passing.length,
      tests: statuses.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
    },
  }
}

function failuresOf(file: string, { tests, status, message }: SpecReport): readonly string[] {
  if (tests.length === 0) return status === 'passed' ? [] : [`${file}: ${message.split('\n')[1]?.trim()}`]
  return tests.filter((one) => one.status === 'failed').map(({ titles }) => `${file}: ${titles.at(-1)}`)
}

describe.skipIf(root === undefined).for(suites)('the suite of %s', (suite) => {
  test.runIf(root !== undefined && existsSync(join(root, suite)))('passes but for what is known', async () => {
    const { failures, counts } = await runSuite(suite)
    console.log(`${suite}: ${JSON.stringify(counts)}\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
    expect(failures.toSorted()).toEqual(Object.keys(knownFailures[suite] ?? {}).toSorted())
  })
})
