import { cp, readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { contentOf, reporters, shownSpecIn, summaryIn, told, toldOfAll } from '../support/report-summary.ts'
import { createReporterProject } from '../support/reporter-project.ts'

test('the report is merged from the blobs of shards', async () => {
  await using project = await createReporterProject(lane)
  await using other = await createReporterProject(lane)
  const { env } = project
  for (const shard of ['1', '2']) {
    await project.reset()
    const blob = ['--reporter=blob', `--outputFile.blob=blobs/${shard}.json`]
    await project.vitest(['run', `--shard=${shard}/2`, ...blob, ...reporters], { env })
    await cp(project.path('blobs'), other.path('blobs'), { recursive: true })
    for (const name of (await readdir(project.dir)).filter((one) => one.endsWith('.logs')))
      await cp(project.path(name), other.path(`logs/${name}`), { recursive: true })
  }
  await project.reset()
  await cp(other.path('blobs'), project.path('blobs'), { recursive: true })
  await project.vitest(['--merge-reports=blobs', ...reporters], { env })
  const merged = await summaryIn(project)
  expect(told(merged)).toEqual(toldOfAll)
  expect(merged).toMatchObject({ otherTests: { pass: 1 }, missing: 0 })
  const shop = await contentOf(project, 'shop.test.md')
  expect(shop).toContain('it printed in the cart: 1 mug')
  expect(shop).toContain('on the machine of the run')

  // Once the logs are where they were.
  await cp(other.path('logs'), project.dir, { recursive: true })
  await project.vitest(['--merge-reports=blobs', ...reporters], { env })
  const whole = shownSpecIn(await contentOf(project, 'shop.test.md'))
  expect(whole.steps.map(({ calls }) => calls.length)).toContain(2)
})

const spec = (title: string): string => `# ${title}\n\n\`\`\`sh\ntrue\n\`\`\`\n`

test('the report is written where it is asked for, stays where no spec runs, and is of the last run', async () => {
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: 'none', reportDir: 'out/report' })], test: { reporters: ['vitest-mdtest/reporter'] } }
`,
    'a.test.md': spec('A'),
    'b.test.md': spec('B'),
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

test('a report or a summary that cannot be written is said, and fails nothing', async () => {
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const reporters = JSON.parse(process.env.REPORTERS ?? '["default"]')
export default { plugins: [mdtest({ agent: 'none' })], test: { reporters } }
`,
    'a.test.md': spec('A'),
    'mdtest-report': 'a file',
    'docs/index.html': '<h1>Mugs</h1>',
  })
  const env = { GITHUB_STEP_SUMMARY: project.path('missing/summary.md') }
  const { exitCode, all } = await project.mdtest(['run', '--report'], { env })
  expect(all).toMatch(/mdtest: the file `.*missing\/summary\.md` that GITHUB_STEP_SUMMARY names cannot be written\./)
  expect(all).toContain(`The report in ${project.path('mdtest-report')} cannot be written`)
  expect(exitCode).toBe(0)
  const inDocs = await project.mdtest(['run', '--report=docs'])
  expect(inDocs.all).toContain('is no report, and would be replaced. Give the report a folder of its own.')
  const left = [await project.read('docs/index.html'), await readdir(project.path('docs'))]
  expect([inDocs.exitCode, ...left]).toEqual([0, '<h1>Mugs</h1>', ['index.html']])
  const noPath = { REPORTERS: JSON.stringify([['vitest-mdtest/reporter', { dir: 42 }]]) }
  expect((await project.vitest(['run'], { env: noPath })).all).toContain('`dir` of the reporter is a path, got 42')
  const behindBlank = await project.mdtest(['run', '--report', 'out'])
  expect(behindBlank).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('`--report=DIR`') })
})
