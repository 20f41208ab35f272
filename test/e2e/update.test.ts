import { chmod, readdir, stat } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { counted, fence, head, refused, rewritten } from '../support/update-specs.ts'

const skipped = `${head}# A\n\n${fence('console', '$ echo new', 'old', '$ echo no database; exit 80', 'x')}`
const unproved = `${head}# A\n\n## One\n\n${fence('sh', 'echo new')}\n${fence('output', 'old')}\n## Two\n\n${fence('sh', 'echo new')}\n${fence('stdout', 'old')}\n${fence('console', '$ echo new', 'old', '$ echo same', 'same')}`
const updated = (text: string): string => text.replaceAll('\nold', '\nnew')

const texts = {
  ...Object.fromEntries(Object.entries(rewritten).map(([name, [before]]) => [name, before])),
  ...Object.fromEntries(Object.entries(refused).map(([name, { text }]) => [name, text])),
  'counted.md': counted,
  'skipped.test.md': skipped,
  'unproved.test.md': unproved,
}

let project: Project
/** Under CI, then with `-u`, then without. */
let [inCI, run, again]: Finished[] = []

beforeAll(async () => {
  project = await createProject({
    'vitest.config.js': plainConfig,
    ...texts,
  })
  await chmod(project.path('windows.test.md'), 0o640)
  await chmod(project.path('read-only.test.md'), 0o444)
  inCI = await project.vitest(['run', '-u', 'lines'], { env: { CI: 'true' } })
  expect(await project.read('lines.test.md')).toBe(rewritten['lines.test.md']?.[0])
  run = await project.vitest(['run', '--reporter=json', '--reporter=default', '-u'])
  await project.write('trace', '')
  again = await project.vitest(['run', '--reporter=json', ...Object.keys(rewritten).filter(isSpec)])
})
afterAll(() => project[Symbol.asyncDispose]())

function isSpec(name: string): boolean {
  return name.endsWith('.test.md')
}

test.for(Object.entries(rewritten))(
  '-u rewrites what no longer matches and nothing else: %s',
  async ([name, [, after]]) => {
    expect(await project.read(name), run?.all).toBe(after)
    const statuses = isSpec(name) ? readJsonReport(again?.stdout ?? '')[name]?.map(({ status }) => status) : ['passed']
    expect(new Set(statuses)).toEqual(new Set(['passed']))
  },
)

test('-u keeps the mode of a file and leaves nothing else', async () => {
  expect((await stat(project.path('windows.test.md'))).mode & 0o777).toBe(0o640)
  expect(await readdir(project.dir)).not.toContainEqual(expect.stringContaining('.tmp'))
})

test('-u verifies nothing of what it accepts, and says so', async () => {
  expect(verdictsOf(run?.stdout ?? '', 'unproved.test.md')).toEqual(['pass observed', 'pass verified'])
  expect(await project.read('unproved.test.md')).toBe(updated(unproved))
  expect(run?.all).toMatch(/unproved: \d+ steps are compared with nothing but what this run has written\./)
})

test('-u counts what was written as snapshots', () => {
  const { snapshot } = JSON.parse(run?.stdout ?? '')
  expect(snapshot).toMatchObject({ didUpdate: true })
  expect([snapshot.added > 0, snapshot.updated > 0, snapshot.filesUpdated > 0]).toEqual([true, true, true])
  expect(run?.all).toMatch(/Snapshots {2}\d+ written\n\s+\d+ updated/)
})

test.for(Object.entries(refused))(
  '-u writes nothing, and says why: %s',
  async ([name, { text, message, after = text }]) => {
    const parts = (run?.all ?? '').split(/^(?= FAIL )/m).filter((part) => part.startsWith(` FAIL  |mdtest| ${name}`))
    expect(parts.join('\n')).toContain(message)
    expect(await project.read(name)).toBe(after)
    if (name === 'scenarios.test.md') expect(await project.read('counted.md')).toBe(counted)
  },
)

test('-u writes nothing under CI and of a scenario that a block skips, and shows no secret', async () => {
  expect(inCI?.exitCode).toBe(1)
  expect(inCI?.all).toMatch(/- tree\n\+ three[^]*Not rewritten: under CI/)
  expect(await project.read('skipped.test.md')).toBe(skipped)
  expect(run?.all).not.toContain('hunter22hunter x')
})
