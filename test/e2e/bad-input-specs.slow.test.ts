import { chmod, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { oddNames, oddTitles, titlesSpec } from '../support/bad-specs.ts'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports } from '../support/spec-reports.ts'
import { passingSpec } from '../support/specs.ts'

const titles = oddTitles.map(([, title]) => title)

let project: Project
beforeAll(async () => {
  project = await createProject({
    'vitest.config.js': plainConfig,
    'odd.test.md': titlesSpec,
    ...Object.fromEntries(oddNames.map((name) => [`names/${name}`, passingSpec])),
  })
})
afterAll(() => project[Symbol.asyncDispose]())

const spec = (title: string, code = 'true', head = ''): string =>
  `---\nagent: none\n---\n\n${head}# ${title}\n\n\`\`\`sh\n${code}\n\`\`\`\n`

test('any name can be followed by a line', async () => {
  // Vitest decodes or cuts the filter of the others: such a line selects nothing, which is a failure.
  const specs = oddNames.filter((name) => name !== 'per%20cent.test.md' && name !== 'new\nline.test.md')
  const args = specs.map((name) => `./names/${name}:14`)
  const run = await project.mdtest(['run', '--reporter=json', ...args])
  const statuses = [...readSpecReports(run.stdout, project.dir).values()].map(({ status }) => status)
  expect(statuses).toEqual(specs.map(() => 'passed'))
  expect(run.exitCode).toBe(0)
})

test('titles of any characters are found by `-t`', async () => {
  const escaped = titles.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const args = ['run', '--reporter=json', 'odd.test.md', '-t', `Odd (> )?(${escaped.join('|')})$`]
  const { stdout } = await project.vitest(args)
  const found = readSpecReports(stdout, project.dir).get('odd.test.md')?.tests ?? []
  expect(found.filter(({ status }) => status === 'passed').map((each) => each.titles[1])).toEqual(titles)
})

test('names and titles are listed unchanged, without running anything too, but for what a literal must escape', async () => {
  const list = async (flag: string): Promise<readonly { readonly file: string; readonly name: string }[]> => {
    const { stdout } = await project.vitest(['list', 'odd', 'names/', '--json', flag])
    return z.array(z.object({ file: z.string(), name: z.string() })).parse(JSON.parse(stdout))
  }
  const [run, parsed] = [await list('--no-static-parse'), await list('--static-parse')]
  for (const listed of [run, parsed]) {
    const files = new Set(listed.map(({ file }) => file.slice(project.dir.length + 1)))
    expect([...files].toSorted()).toEqual(['odd.test.md', ...oddNames.map((name) => `names/${name}`)].toSorted())
    expect(listed).toHaveLength(titles.length + 1 + 2 * oddNames.length)
  }
  const namesOf = (listed: typeof run): readonly string[] =>
    listed.flatMap(({ name }) => (name.startsWith('Odd > ') ? [name.slice('Odd > '.length)] : []))
  expect(namesOf(run)).toEqual([...titles, 'Plain'])
  // The default of Vitest 5 reads the text between the quotes of a literal: backslashes, control characters, and all three
  // quotes in one title stay escaped.
  const needsEscape = (title: string): boolean =>
    /[\\\u0000-\u001F]/.test(title) || (title.includes('"') && title.includes("'") && /`|\$\{/.test(title))
  expect(namesOf(parsed)).toEqual(expect.arrayContaining(titles.filter((title) => !needsEscape(title))))
})

test('`mdtest run` counts as failed what Vitest cannot run: a link to no file, no environment, a file that is gone', async () => {
  await using own = await createProject({
    'a.test.md': spec('A', 'rm z.test.md'),
    'b.test.md': spec('B', 'true', `${'// @'}vitest-environment happy-dom\n\n`),
    'z.test.md': spec('Z'),
  })
  await symlink('nowhere', own.path('dangling.test.md'))
  await symlink('loop.test.md', own.path('loop.test.md'))
  const { exitCode, all } = await own.mdtest(['run'])
  expect(exitCode).toBe(1)
  expect(all).toContain('mdtest: dangling.test.md did not run: it is a link to')
  expect(all).toMatch(/^mdtest: b\.test\.md did not run:\nb\.test\.md:5:4 {2}vitest-comment /m)
  expect(all).toContain('happy-dom')
  expect(all).toMatch(/z\.test\.md/)
  expect(all).toMatch(/^1 passed, 4 failed$/m)
  const named = await own.mdtest(['run', 'dangling.test.md'])
  expect(named.all).toContain('`dangling.test.md` is not a regular file')
  expect(named.exitCode).toBe(2)
})

test.skipIf(process.getuid?.() === 0)('a spec that may not be read fails (skipped for root, who may)', async () => {
  await using own = await createProject({ 'a.test.md': spec('A') })
  await chmod(own.path('a.test.md'), 0)
  const { exitCode, all } = await own.mdtest(['run'])
  expect(exitCode).not.toBe(0)
  expect(all).toContain('EACCES')
})
