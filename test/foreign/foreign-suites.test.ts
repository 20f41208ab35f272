import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readSpecReports, type SpecReport } from '../support/spec-reports.ts'
import { adaptMdx } from './adapt-mdx.ts'
import { adaptScrut } from './adapt-scrut.ts'
import { knownFailures } from './known-failures.ts'

// The tests of other tools, from a folder that holds their markdown files, `scrut/*.md` and `mdx/*.md`; README.md
// says how to make it.
const root = process.env.MDTEST_FOREIGN_SUITES ?? ''
const adapters = { scrut: adaptScrut, mdx: adaptMdx } as const

type Suite = keyof typeof adapters

/** What became of a suite. */
interface SuiteResult {
  /** Of files and tests, how many there are and how many ended how. */
  readonly counts: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}

async function runSuite(suite: Suite): Promise<SuiteResult> {
  await using project = await createProject({ 'vitest.config.js': plainConfig, ...readSuite(suite) })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  const reports = [...readSpecReports(stdout, project.dir)]
  const statuses = reports.flatMap(([, { tests }]) => tests.map(({ status }) => status))
  const count = (status: string): number => statuses.filter((one) => one === status).length
  return {
    counts: {
      files: reports.length,
      'files that pass': reports.filter(([, { status }]) => status === 'passed').length,
      tests: statuses.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
    },
    failures: reports.flatMap(([name, report]) => failuresOf(name.replace(/\.test\.md$/, '.md'), report)),
  }
}

/** The specs of a suite by name; without files in which there is nothing for a shell. */
function readSuite(suite: Suite): Readonly<Record<string, string>> {
  const folder = join(root, suite)
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return Object.fromEntries(
    files.flatMap((name) => {
      const spec = adapters[suite](readFileSync(join(folder, name), 'utf8'))
      return spec === undefined ? [] : [[name.replace(/\.md$/, '.test.md'), spec]]
    }),
  )
}

function failuresOf(file: string, { tests, message }: SpecReport): readonly string[] {
  const rules = tests.length > 0 ? [] : [...message.matchAll(/:\d+:\d+ {2}([\w-]+) {2}/g)].map(([, rule]) => rule)
  const titles = tests.filter(({ status }) => status === 'failed').map((one) => one.titles.at(-1))
  return [...new Set([...rules, ...titles])].map((what) => `${file}: ${what}`)
}

describe.each(Object.keys(adapters) as Suite[])('the suite of %s', (suite) => {
  // its own keys
  test.runIf(root !== '' && existsSync(join(root, suite)))('passes but for what is known', async () => {
    const { counts, failures } = await runSuite(suite)
    console.log(`${suite}: ${JSON.stringify(counts)}`)
    expect(failures.toSorted()).toEqual(Object.keys(knownFailures[suite]).toSorted())
  })
})
