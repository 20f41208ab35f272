import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('titles of any characters appear unchanged', async () => {
  const all = reports.get('odd.test.md')?.tests ?? []
  expect(all.map((each) => each.titles)).toEqual([...titles, 'Plain'].map((title) => ['Odd', title]))
})
