import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { step, tagged, traceSpec } from '../support/select-specs.ts'

async function passed(project: Project, args: readonly string[]): Promise<readonly string[]> {
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  expect(stdout, all).not.toBe('')
  const tests = Object.values(readJsonReport(stdout)).flat()
  return tests.filter(({ status }) => status === 'passed').map(({ name }) => name)
}

let project: Project
beforeAll(async () => {
  project = await createProject({ 'vitest.config.js': plainConfig, ...tagged })
})
afterAll(() => project[Symbol.asyncDispose]())

test('all tags are listed, and one that nothing has is said', async () => {
  const names = (await project.vitest(['--list-tags'])).stdout.match(/\w+/g)
  expect(names).toEqual(['mdtest', 'db', 'shop', 'slow', 'smoke'])
  const unknown = await project.vitest(['run', '--tags-filter', 'smokee'])
  expect(unknown.exitCode).toBe(1)
  expect(unknown.all).toContain('The tag pattern "smokee" is not defined in the configuration')
})

test('`mdtest run --tags-filter` takes the same, and a tag that no spec has leaves nothing, or leaves nothing out', async () => {
  const run = (...filters: readonly string[]) =>
    project.mdtest(['run', ...filters.flatMap((filter) => ['--tags-filter', filter])])
  const unknown = await run('smoke && smokee')
  expect(unknown.exitCode, unknown.all).toBe(2)
  expect(unknown.stderr).toMatch(
    /^mdtest: No test ran: no step has the tag `smokee`\. Did you mean `smoke`\? Known tags: db, shop, slow, smoke\. .*$/m,
  )
  expect(unknown.all).not.toContain('not defined')
  // All of them at once have to leave all there is.
  const neutral = await run('!none', 'not none', 'none || !smokee', '!(none || nowhere)', '!zzz*', '!db')
  expect(neutral.exitCode, neutral.all).toBe(0)
  expect(neutral.stdout).toContain('steps: 3 passed')
  const none = await project.mdtest(['run', '--tags-filter', 'zzz*', '--pass-with-no-tests'])
  expect(none.stdout).toContain('0 passed, 0 failed, 2 skipped')
})

test('options of a tag that the user declared hold, and with `strictTags: true` others are unknown', async () => {
  const tags = `strictTags: true, tags: [{ name: 'smoke', retry: 1 }, { name: 'slow' }]`
  const flaky = `---\nagent: none\ntags: [smoke]\n---\n\n# F\n\n\`\`\`sh\ntest -e tried || { touch tried; false; }\n\`\`\`\n`
  await using strict = await createProject({
    ...tagged,
    'vitest.config.js': plainConfig.replace('] })', `], test: { ${tags} } })`),
    'flaky.test.md': flaky,
  })
  const { exitCode, all } = await strict.vitest(['run'])
  expect(exitCode).toBe(1)
  for (const tag of ['db', 'shop']) expect(all).toContain(`The tag "${tag}" is not defined in the configuration`)
  expect(all).toMatch(/✓ \|mdtest\| flaky\.test\.md/)
})

test('specs in a project of the user’s own need no declaration of tags either', async () => {
  const projects = `export default { test: { projects: [{ plugins: [mdtest()], test: { name: 'mine' } }] } }`
  await project.write('own.config.js', `import { mdtest } from 'vitest-mdtest'\n${projects}\n`)
  expect(await passed(project, ['--config=own.config.js', '--tags-filter', 'slow'])).toEqual(['A > Two'])
})

test('`--bail` ends what is under way, with its processes', async () => {
  const slow = '## Slow\n\n```sh\ntouch started\nsleep 600\n```\n\n## Teardown\n\n```sh\ntouch torn-down\n```\n'
  const bad = '## Bad\n\n```sh\nuntil test -e started; do sleep 0.1; done\nfalse\n```\n'
  await using bailing = await createProject({
    'vitest.config.js': plainConfig,
    'a.test.md': traceSpec('A', slow),
    'b.test.md': traceSpec('B', bad),
  })
  const { exitCode } = await bailing.vitest(['run', '--bail=1'])
  expect(exitCode).toBe(1)
  expect(await bailing.read('torn-down')).toBe('')
})

test('a shuffled and a concurrent run leave scenarios whole', async () => {
  await using ordered = await createProject({
    'vitest.config.js': plainConfig,
    'a.test.md': traceSpec('A', ...['A1', 'A2', 'A3', 'A4'].map((name) => step(name))),
    'b.test.md': traceSpec('B', ...['B1', 'B2'].map((name) => step(name))),
  })
  const shuffle = ['--sequence.shuffle.files', '--sequence.shuffle.tests']
  const flags = ['--no-file-parallelism', ...shuffle, '--sequence.concurrent', '--project=mdtest']
  expect(await passed(ordered, flags)).toHaveLength(6)
  const [a, b] = ['A1\nA2\nA3\nA4\n', 'B1\nB2\n']
  expect([a + b, b + a]).toContain(await ordered.read('trace'))
})
