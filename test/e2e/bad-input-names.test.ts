import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports } from '../support/spec-reports.ts'
import { passingSpec } from '../support/specs.ts'

const names = [
  'sp ace/a b.test.md',
  `quo'te"d.test.md`,
  'dol$lar$1.test.md',
  'ha#sh.test.md',
  '#first.test.md',
  'dir#h/x.test.md',
  'per%cent.test.md',
  'per%20cent.test.md',
  'uni é 日本 😀.test.md',
  'brack[1].test.md',
  'par(en).test.md',
  'a&b;c.test.md',
  'curly{a,b}.test.md',
  'tilde~ plus+.test.md',
  '!bang.test.md',
  '-dash.test.md',
  '@at.test.md',
  'com,ma.test.md',
  'col:on.test.md',
  'x.test.md:3.test.md',
  '`tick`${x}.test.md',
  'new\nline.test.md',
  'trailing .test.md',
  '.test.md',
]

/** Vite takes `?` for the start of a query and a backslash for a slash: such a spec fails, but it never passes unseen. */
const impossible = ['que?stion.test.md', 'dir?q/x.test.md', 'back\\slash.test.md']

/** Vitest decodes or cuts the filter: such a line selects nothing, which is a failure. */
const withoutLines = new Set(['per%20cent.test.md', 'new\nline.test.md'])

function projectWith(specs: readonly string[]): Promise<Project> {
  return createProject({
    'vitest.config.js': plainConfig,
    ...Object.fromEntries(specs.map((name) => [name, passingSpec])),
  })
}

const all = (status: string): readonly (readonly [string, string])[] => names.toSorted().map((name) => [name, status])

describe('names of specs', () => {
  test('of any characters run, in Vitest and in `mdtest run`', async () => {
    await using project = await projectWith(names)
    for (const program of ['vitest', 'mdtest'] as const) {
      const { exitCode, stdout } = await project[program](['run', '--reporter=json'])
      const reports = readSpecReports(stdout, project.dir)
      expect([...reports].map(([name, { status, tests }]) => [name, `${tests.length} ${status}`]).toSorted()).toEqual(
        all('2 passed'),
      )
      expect(exitCode).toBe(0)
    }
  })

  test('of any characters are listed by both collectors', async () => {
    await using project = await projectWith(names)
    for (const flags of [[], ['--static-parse']]) {
      const { stdout } = await project.vitest(['list', '--json', ...flags])
      const listed = z.array(z.object({ file: z.string() })).parse(JSON.parse(stdout))
      const files = listed.map(({ file }) => file.slice(project.dir.length + 1))
      expect([...new Set(files)].toSorted()).toEqual(names.toSorted())
      expect(files).toHaveLength(2 * names.length)
    }
  })

  test('of any characters can be followed by a line', async () => {
    const specs = names.filter((name) => !withoutLines.has(name))
    await using project = await projectWith(specs)
    const args = specs.map((name) => `./${name}:14`)
    const { exitCode, stdout } = await project.mdtest(['run', '--reporter=json', ...args])
    expect([...readSpecReports(stdout, project.dir).values()].map(({ status }) => status)).toEqual(
      specs.map(() => 'passed'),
    )
    expect(exitCode).toBe(0)
  })

  test('that Vite cannot load fail', async () => {
    await using project = await projectWith([...impossible, 'good.test.md'])
    for (const program of ['vitest', 'mdtest'] as const) {
      const { exitCode, stdout } = await project[program](['run', '--reporter=json'])
      const statuses = [...readSpecReports(stdout, project.dir).values()].map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(['failed', 'failed', 'failed', 'passed'])
      expect(exitCode).toBe(1)
    }
  })
})
