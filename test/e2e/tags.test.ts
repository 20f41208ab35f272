import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const step = (name: string, directive = ''): string =>
  `## ${name}\n\n${directive === '' ? '' : `<!-- mdtest: ${directive} -->\n\n`}\`\`\`sh\ntrue\n\`\`\`\n\n`
const files = {
  'a.test.md': `---\nagent: none\ntags: [smoke]\ninclude: [shared.md]\n---\n\n# A\n\n${step('One')}${step('Two', 'tags=slow')}`,
  'b.test.md': `---\nagent: none\n---\n\n# B\n\n<!-- mdtest: tags=shop -->\n\n${step('Three')}`,
  'shared.md': step('Shared', 'tags=db'),
  'sum.test.js': `import { test } from 'vitest'\ntest('adds', () => {})\n`,
}

async function passed(project: Project, args: readonly string[]): Promise<readonly string[]> {
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  expect(stdout, all).not.toBe('')
  return Object.values(readJsonReport(stdout))
    .flat()
    .filter(({ status }) => status === 'passed')
    .map(({ name }) => name)
}

/** Tags of each test by its title, by file. */
function tagsOf(report: string): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const { testResults }: Report = JSON.parse(report)
  return Object.fromEntries(
    testResults.map(({ name, assertionResults }) => [
      basename(name),
      Object.fromEntries(assertionResults.map(({ title, tags }) => [title, tags])),
    ]),
  )
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly tags: readonly string[] }[]
  }[]
}

/** A configuration with these test options. */
const withTest = (options: string): Readonly<Record<string, string>> => ({
  ...files,
  'vitest.config.js': plainConfig.replace('] })', `], test: { ${options} } })`),
})

test('tags of specs choose tests without being declared, beside tests that are no specs', async () => {
  await using project = await createProject({ ...files, 'vitest.config.js': plainConfig })
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  expect(tagsOf(stdout)).toEqual({
    'a.test.md': { Shared: ['smoke', 'db'], One: ['smoke'], Two: ['smoke', 'slow'] },
    'b.test.md': { Three: ['shop'] },
    'sum.test.js': { adds: [] },
  })
  expect(await passed(project, ['--tags-filter', 'slow || db || shop'])).toEqual(['A > Shared', 'A > Two', 'B > Three'])
  expect(await passed(project, ['--tags-filter', '!smoke', '--tags-filter', '!shop'])).toEqual(['adds'])
  const unknown = await project.vitest(['run', '--tags-filter', 'smokee'])
  expect(unknown.exitCode).toBe(1)
  expect(unknown.all).toContain('The tag pattern "smokee" is not defined in the configuration')
  expect((await project.vitest(['--list-tags'])).stdout.match(/\w+/g)).toEqual([
    'mdtest',
    'db',
    'shop',
    'slow',
    'smoke',
  ])
})

test('options of a tag that the user declared hold', async () => {
  const flaky = `---\nagent: none\ntags: [smoke]\n---\n\n# F\n\n\`\`\`sh\ntest -e tried || { touch tried; false; }\n\`\`\`\n`
  await using project = await createProject({ ...withTest(`tags: [{ name: 'smoke', retry: 1 }]`), 'f.test.md': flaky })
  expect(await passed(project, ['--tags-filter', 'smoke'])).toContain('F')
})

test('with `strictTags: true` only those count that the user declares', async () => {
  await using project = await createProject(withTest(`strictTags: true, tags: [{ name: 'smoke' }, { name: 'slow' }]`))
  const { exitCode, all } = await project.vitest(['run'])
  expect(exitCode).toBe(1)
  expect(all).toContain('The tag "db" is not defined in the configuration')
  expect(all).toContain('The tag "shop" is not defined in the configuration')
})

test('specs in a project of the user’s own need no declaration either', async () => {
  const projects = `export default { test: { projects: [{ plugins: [mdtest()], test: { name: 'mine' } }] } }`
  const config = `import { mdtest } from 'vitest-mdtest'\n${projects}\n`
  await using project = await createProject({ ...files, 'vitest.config.js': config })
  expect(await passed(project, [])).toHaveLength(5)
  expect(await passed(project, ['--tags-filter', 'slow'])).toEqual(['A > Two'])
})

test('`mdtest run --tags-filter` takes the same expressions', async () => {
  await using project = await createProject(files)
  const { stdout, exitCode, all } = await project.mdtest([
    'run',
    '--tags-filter',
    'smoke && !slow',
    '--tags-filter',
    '!db',
  ])
  expect(exitCode, all).toBe(0)
  expect(stdout).toContain('steps: 1 passed')
})

test('a tag that no spec has leaves nothing, or leaves nothing out', async () => {
  await using project = await createProject({ ...files, 'vitest.config.js': plainConfig })
  const run = (filter: string) => project.mdtest(['run', '--tags-filter', filter])
  const unknown = await run('smoke && smokee')
  expect(unknown.exitCode, unknown.all).toBe(2)
  expect(unknown.stderr).toMatch(
    /^mdtest: No test ran: no step has the tag `smokee`\. Did you mean `smoke`\? Known tags: db, shop, slow, smoke\. .*$/m,
  )
  expect(unknown.all).not.toContain('not defined')
  expect((await run('zzz*')).stderr).toContain('no step has the tag `zzz*`. Known tags:')
  // All of them at once have to leave all there is.
  const neutral = ['!none', 'not none', 'none || !smokee', '!(none || nowhere)', '!zzz*']
  const flags = neutral.flatMap((filter) => ['--tags-filter', filter])
  const { exitCode, stdout, all } = await project.mdtest(['run', ...flags])
  expect(exitCode, all).toBe(0)
  expect(stdout).toContain('2 passed, 0 failed')
  expect((await project.mdtest(['run', '--tags-filter', 'smokee', '--pass-with-no-tests'])).stdout).toContain(
    '0 passed, 0 failed, 2 skipped',
  )
  expect(await passed(project, ['--tags-filter', '!none', '--tags-filter', 'smoke && not none'])).toHaveLength(3)
})
