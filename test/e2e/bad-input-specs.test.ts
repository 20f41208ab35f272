import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { badSpecs, impossibleNames, oddNames, oddSpecs, oddTitles, titlesSpec } from '../support/bad-specs.ts'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports, type SpecReport } from '../support/spec-reports.ts'
import { passingSpec } from '../support/specs.ts'

const titles = oddTitles.map(([, title]) => title)

let project: Project
let reports: ReadonlyMap<string, SpecReport>
let exitCode: number | undefined

beforeAll(async () => {
  project = await createProject({
    'vitest.config.js': plainConfig,
    'odd.test.md': titlesSpec,
    ...Object.fromEntries([...oddNames, ...impossibleNames].map((name) => [`names/${name}`, passingSpec])),
  })
  for (const [name, [content]] of [...Object.entries(badSpecs), ...Object.entries(oddSpecs)])
    await writeFile(project.path(`${name}.test.md`), content)
  await mkdir(project.path('folder.test.md'))
  const run = await project.vitest(['run', '--reporter=json'])
  reports = readSpecReports(run.stdout, project.dir)
  exitCode = run.exitCode
})
afterAll(() => project[Symbol.asyncDispose]())

test('all specs are reported, whatever is in them and whatever they are called', () => {
  const names = [...Object.keys(badSpecs), ...Object.keys(oddSpecs), 'odd'].map((name) => `${name}.test.md`)
  const loadable = [...reports.keys()].filter((name) => !impossibleNames.some((one) => name.includes(one.slice(0, 4))))
  expect(loadable.toSorted()).toEqual([...names, ...oddNames.map((name) => `names/${name}`)].toSorted())
  expect(exitCode).toBe(1)
})

test.for(Object.entries(badSpecs))('a spec fails with a place: %s', ([name, [, message]]) => {
  expect(reports.get(`${name}.test.md`)).toMatchObject({ status: 'failed', message: expect.stringMatching(message) })
})

test.for(Object.entries(oddSpecs))('a spec is what it shows: %s', ([name, [, tests]]) => {
  const report = reports.get(`${name}.test.md`)
  const passed = report?.tests.map((one) => (one.status === 'passed' ? one.titles.join(' > ') : one.status))
  expect(passed, report?.message).toEqual(tests)
})

test('a spec of any name runs, and one that Vite cannot load fails', () => {
  const ended = oddNames.map((name) => reports.get(`names/${name}`)).map((one) => `${one?.tests.length} ${one?.status}`)
  expect(ended).toEqual(oddNames.map(() => '2 passed'))
  const others = [...reports].filter(([name]) => impossibleNames.some((one) => name.includes(one.slice(0, 4))))
  expect(others.map(([, { status }]) => status)).toEqual(['failed', 'failed', 'failed'])
})

test('any name can be followed by a line', async () => {
  // Vitest decodes or cuts the filter of the others: such a line selects nothing, which is a failure.
  const specs = oddNames.filter((name) => name !== 'per%20cent.test.md' && name !== 'new\nline.test.md')
  const args = specs.map((name) => `./names/${name}:14`)
  const run = await project.mdtest(['run', '--reporter=json', ...args])
  const statuses = [...readSpecReports(run.stdout, project.dir).values()].map(({ status }) => status)
  expect(statuses).toEqual(specs.map(() => 'passed'))
  expect(run.exitCode).toBe(0)
})

test('titles of any characters appear unchanged, and are found by `-t`', async () => {
  const all = reports.get('odd.test.md')?.tests ?? []
  expect(all.map((each) => each.titles)).toEqual([...titles, 'Plain'].map((title) => ['Odd', title]))
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
  for (const impossible of impossibleNames) await project.remove(`names/${impossible}`)
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
