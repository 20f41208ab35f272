import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root, trackedFiles } from '../repository/tracked-files.ts'
import { createProject, type Finished, type Project } from '../support/create-project.ts'
import { leftAfter } from '../support/leftovers.ts'

// Once, for all tests, in a project that has nothing but the package, with a folder for temporary files of its own.
let base: string
let temporary: string
let project: Project
let before: readonly string[]
let finished: Finished
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'mdtest-demo-test-'))
  temporary = join(base, 'files of today')
  await mkdir(temporary)
  project = await createProject({})
  before = await filesIn(project.dir)
  finished = await project.mdtest(['demo'], { env: { TMPDIR: temporary, CI: 'true', GITHUB_ACTIONS: 'true' } })
}, 300_000)
afterAll(async () => {
  await project[Symbol.asyncDispose]()
  await rm(base, { recursive: true, force: true, maxRetries: 3 })
})

test('ends well, and says in its last line how to keep the report', () => {
  expect(finished.exitCode, finished.all).toBe(0)
  expect(finished.all).not.toContain('UNEXPECTED')
  expect(finished.all).toContain('a script stands in for it')
  expect(finished.stdout.trimEnd().split('\n').at(-1)).toMatch(/To keep the report: npx vitest-mdtest demo --out \S+$/)
})

test('leaves no file and no process', async () => {
  expect(await readdir(temporary)).toEqual([])
  expect(await filesIn(project.dir)).toEqual(before)
  expect(await leftAfter(temporary)).toEqual([])
})

describe('tells', () => {
  // What commands print stands behind a bar.
  test.each<[part: string, words: readonly (string | RegExp)[]]>([
    [
      '1 of 5: the program works',
      [
        '$ npx vitest-mdtest run works',
        '│ steps: 2 passed: 1 verified, 1 evidenced',
        '│ 1 passed, 0 failed',
        'Green',
        /│ +\d\d:\d\d:\d\d command node notes\.mjs done 1 +exit 0/,
        /│ +cites: “done 1: milk”/,
      ],
    ],
    [
      '2 of 5: the program forgets to save',
      ['- store.write(', 'VERIFY_FAILED', '│ - 1 [x] milk\n│ + 1 [ ] milk\n', '│ 0 passed, 1 failed', 'Red'],
    ],
    ['3 of 5: an agent that lies', ['NO_ACTIVITY', 'EVIDENCE_UNKNOWN', '│ 0 passed, 1 failed', 'Red']],
    [
      '4 of 5: recorded, then repeated without the agent',
      [
        '$ npx vitest-mdtest record works',
        '│ +$ node notes.mjs done 1',
        '$ npx vitest-mdtest run works --replay only',
        '│ steps: 2 replayed',
        /It took \d+\.\d s with the script, and \d+\.\d s without it\./,
      ],
    ],
    ['5 of 5: one report', ['│ report: report/index.html', '│ 1 passed, 2 failed']],
  ])('%s', (title, words) => {
    const [, part = ''] = finished.stdout.split(`── ${title} ─`)
    const [own] = part.split('\n── ')
    for (const word of words) expect(own).toMatch(word)
  })
})

test('needs the agent that it is asked for', async () => {
  const { exitCode, stderr } = await project.mdtest(['demo', '--agent', 'codex'], { env: { PATH: '/usr/bin:/bin' } })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('`codex` is not an executable file on PATH')])
  const other = await project.mdtest(['demo', '--agent', 'browser'])
  expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('takes claude, codex')])
})

test('its example runs whole, by the script', async () => {
  const folder = 'examples/notes/'
  const names = trackedFiles().filter((path) => path.startsWith(folder))
  const files = names.map((name) => [name.slice(folder.length), readFileSync(join(root, name), 'utf8')] as const) // a pair
  await using example = await createProject(Object.fromEntries(files))
  const { exitCode, all } = await example.mdtest(['run'])
  expect(exitCode, all).toBe(0)
  expect(all).toMatch(/steps: \d+ passed: \d+ verified, 2 evidenced\n.*\n5 passed, 0 failed$/)
})

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).toSorted()
}
