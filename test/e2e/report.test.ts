import { cp, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Summary } from '../../src/report/folder/summary.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { createReporterProject, type ReporterProject } from '../support/reporter-project.ts'

const reporters = ['--reporter=default', '--reporter=vitest-mdtest/reporter']

async function summaryIn(project: Project, dir = 'mdtest-report'): Promise<Summary> {
  return JSON.parse((await project.read(`${dir}/summary.js`)).replace(/^var mdtestSummary=/, ''))
}

/** What stands on the page, without what a page may load later. */
async function pageIn(project: Project, dir = 'mdtest-report'): Promise<Readonly<Record<string, string>>> {
  const names = ['summary.js', ...(await readdir(project.path(`${dir}/specs`))).map((name) => `specs/${name}`)]
  const texts = names.toSorted().map(async (name) => [name, await project.read(`${dir}/${name}`)] as const) // a pair, not a list
  return Object.fromEntries(await Promise.all(texts))
}

const told = ({ specs }: Summary): Readonly<Record<string, string>> =>
  Object.fromEntries(
    specs.map(({ anchor, outcome, steps }) => [anchor, [outcome, ...steps.map((step) => step.outcome)].join(' ')]),
  )

const expected = {
  'failing.test.md': 'fail pass fail skipped',
  'malformed.test.md': 'fail',
  'needs.test.md': 'skipped skipped',
  'passing.test.md': 'pass pass pass pass pass skipped skipped',
  'paying.test.md': 'blocked blocked skipped',
  'repeated.test.md': 'fail pass pass fail',
  'retried.test.md': 'pass pass',
  'shop.test.md': 'pass pass pass',
}

describe('the report', () => {
  test('of a run, rebuilt from disk and merged from shards tells the same', async () => {
    await using project = await createReporterProject(lane)
    const { env } = project
    const run = await project.vitest(['run', ...reporters], { env })
    expect(run.stdout).toContain('report: mdtest-report/index.html')
    const live = await summaryIn(project)
    expect(told(live)).toEqual(expected)
    expect(live).toMatchObject({ otherTests: { pass: 1, fail: 0, skipped: 0 }, errors: [], missing: 0 })
    expect(live.specs.find(({ anchor }) => anchor === 'retried.test.md')).toMatchObject({ flaky: 1 })
    await expectDocument(project)

    const page = await pageIn(project)
    await project.remove('mdtest-report/summary.js')
    await project.remove('mdtest-report/index.html')
    expect(await project.mdtest(['report'])).toMatchObject({ exitCode: 0, stdout: '8 specs: mdtest-report/index.html' })
    expect(await pageIn(project)).toEqual(page)
    expect(await project.read('mdtest-report/index.html')).toContain('summary.js')

    await expectFromLogsAlone(project)
    await expectMerged(project)
  })

  test('is written where it is asked for, stays where no spec runs, and is of the last run', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: 'none', reportDir: 'out/report' })], test: { reporters: ['vitest-mdtest/reporter'] } }
`,
      'a.test.md': '# A\n\n```sh\ntrue\n```\n',
      'b.test.md': '# B\n\n```sh\ntrue\n```\n',
      'c.test.js': `import { test } from 'vitest'\ntest('c', () => {})\n`,
    })
    const first = await project.vitest(['run'])
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('report: out/report/index.html') })
    expect(told(await summaryIn(project, 'out/report'))).toEqual({ 'a.test.md': 'pass pass', 'b.test.md': 'pass pass' })
    await project.vitest(['run', 'c.test.js'])
    expect((await summaryIn(project, 'out/report')).specs).toHaveLength(2)
    // Listed and asked for: one report, in the folder of the command line.
    const run = await project.mdtest(['run', '--report=mine', 'a.test.md'])
    expect(run).toMatchObject({ exitCode: 0 })
    expect(run.all.match(/report: /g)).toHaveLength(1)
    expect(told(await summaryIn(project, 'mine'))).toEqual({ 'a.test.md': 'pass pass' })
    await project.mdtest(['run', '--reporter=default', '--report', 'b.test.md'])
    expect(told(await summaryIn(project, 'out/report'))).toEqual({ 'b.test.md': 'pass pass' })
  })

  test('that cannot be written is said, and fails nothing', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const reporters = JSON.parse(process.env.REPORTERS ?? '["default"]')
export default { plugins: [mdtest({ agent: 'none' })], test: { reporters } }
`,
      'a.test.md': '# A\n\n```sh\ntrue\n```\n',
      'mdtest-report': 'a file',
      'docs/index.html': '<h1>Mugs</h1>',
    })
    const { exitCode, all } = await project.mdtest(['run', '--report'])
    expect(all).toContain(`The report in ${project.path('mdtest-report')} cannot be written`)
    expect(exitCode).toBe(0)
    const inDocs = await project.mdtest(['run', '--report=docs'])
    expect(inDocs.all).toContain('is no report, and would be replaced. Give the report a folder of its own.')
    expect([inDocs.exitCode, await project.read('docs/index.html'), await readdir(project.path('docs'))]).toEqual([
      0,
      '<h1>Mugs</h1>',
      ['index.html'],
    ])
    const noPath = { REPORTERS: JSON.stringify([['vitest-mdtest/reporter', { dir: 42 }]]) }
    expect((await project.vitest(['run'], { env: noPath })).all).toContain('`dir` of the reporter is a path, got 42')
    const behindBlank = await project.mdtest(['run', '--report', 'out'])
    expect(behindBlank).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('`--report=DIR`') })
    const nothing = await project.mdtest(['report', 'other'])
    expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is nothing to report') })
  })
})

/** An agent's words, calls and files are there, and text of any origin is text. */
async function expectDocument(project: ReporterProject): Promise<void> {
  const { specs } = await summaryIn(project)
  const content = (anchor: string): Promise<string> =>
    project.read(`mdtest-report/specs/${specs.find((spec) => spec.anchor === anchor)?.key}.js`)
  const shop = await content('shop.test.md')
  for (const part of [
    'Put a mug into the cart',
    'it printed in the cart: 1 mug',
    '2 tool calls',
    'I went through the shop',
  ]) {
    expect(shop).toContain(part)
  }
  const [log = ''] = /logs\/[\da-f]{16}-[\w.-]+\.raw\.log/.exec(shop) ?? []
  expect(await project.read(`mdtest-report/${log}`)).toContain('"type"')
  expect(await content('passing.test.md')).toContain('Adds 20 and 22')
  expect(await content('malformed.test.md')).toContain('front-matter-unknown-key')
}

/** Specs with an agent leave logs; the others are in no report then. */
async function expectFromLogsAlone(project: ReporterProject): Promise<void> {
  const { exitCode, stdout } = await project.mdtest(['report', 'from-logs'])
  expect([exitCode, stdout]).toEqual([0, '3 specs: from-logs/index.html'])
  const { 'paying.test.md': paying, 'retried.test.md': retried, 'shop.test.md': shop } = expected
  expect(told(await summaryIn(project, 'from-logs'))).toEqual({
    'paying.test.md': paying,
    'retried.test.md': retried,
    'shop.test.md': shop,
  })
}

/** By Vitest from blobs, and by mdtest from the reports of the shards. */
async function expectMerged(project: ReporterProject): Promise<void> {
  const { env } = project
  await using other = await createReporterProject(lane)
  for (const shard of ['1', '2']) {
    await project.reset()
    await project.vitest(
      ['run', `--shard=${shard}/2`, '--reporter=blob', `--outputFile.blob=blobs/${shard}.json`, ...reporters],
      { env },
    )
    await cp(project.path('blobs'), other.path('blobs'), { recursive: true })
    await cp(project.path('mdtest-report'), other.path(`shards/${shard}`), { recursive: true })
  }
  await project.reset()
  await cp(other.path('blobs'), project.path('blobs'), { recursive: true })
  await project.vitest(['--merge-reports=blobs', ...reporters], { env })
  const merged = await summaryIn(project)
  expect(told(merged)).toEqual(expected)
  expect(merged).toMatchObject({ otherTests: { pass: 1 }, missing: 0 })
  const shop = await project.read(
    `mdtest-report/specs/${merged.specs.find(({ anchor }) => anchor === 'shop.test.md')?.key}.js`,
  )
  expect(shop).toContain('it printed in the cart: 1 mug')
  expect(shop).toContain('on the machine of the run')

  const from = ['1', '2'].map((shard) => `--from=${other.path(`shards/${shard}`)}`)
  await project.mdtest(['report', 'all', ...from])
  const all = await summaryIn(project, 'all')
  expect(told(all)).toEqual(expected)
  expect(all).toMatchObject({ otherTests: { pass: 1 }, missing: 0 })
  expect(
    await project.read(`all/specs/${all.specs.find(({ anchor }) => anchor === 'shop.test.md')?.key}.js`),
  ).toContain('2 tool calls')
}
