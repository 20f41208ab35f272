import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { FixReport } from '../../src/commands/fix/session/fix-report.ts'
import {
  createFixProject,
  expectFixExample,
  nodeProject,
  rightSum,
  vitestProject,
  wrongSum,
} from '../support/fix-project.ts'

test('without progress it halts with exit code 2, and says what a person needs', async () => {
  using project = createFixProject(nodeProject)
  project.plan({ attempts: [{ write: { 'sum.mjs': `${wrongSum}// Tried.\n` }, summary: 'Left a note.' }] })
  const { exitCode, report } = await project.fix()
  expect(report).toMatchObject({ result: 'stalled', failing_tests: 1, total_tests: 2, attempts: 6 })
  expect(exitCode).toBe(2)
  const halt = project.read(report.artifacts.find((path) => path.endsWith('halt.md')) ?? '')
  expect(halt).toContain('sum.test.mjs > adds (sum.test.mjs:6)')
  expect(halt).toMatch(/expected: 5\s+received: -1/)
  expect(halt).toContain('### Attempt 6 (session 3)\n\nLeft a note.')
  expect(halt).toContain(`npx vitest-mdtest fix --resume ${report.session_id}`)
  await expectFixExample(project, 'halt', ['summary.json', 'halt.md'])

  // A person had a look.
  project.write('sum.mjs', rightSum)
  const resumed = await project.fix('--resume', report.session_id)
  expect([resumed.exitCode, resumed.report.result, resumed.report.attempts]).toEqual([0, 'success', 6])
  const listed = await project.mdtest('sessions', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject({
    sessions: [{ result: 'success', attempts: 6, failing_before: 1, failing_after: 0, delta: 1 }],
    completion_rate: 1,
  })
})

test('an agent that hangs costs its time; a limit of attempts ends it with exit code 1, and can be raised', async () => {
  using project = createFixProject(nodeProject)
  project.plan({
    attempts: [{ hang: true, write: { 'sum.mjs': `${wrongSum}// Half.\n` } }, { write: { 'sum.mjs': rightSum } }],
  })
  const halted = await project.fix('--max-attempts', '1', '--agent-timeout', '1s')
  expect([halted.exitCode, halted.report.result, halted.report.reason]).toEqual([
    1,
    'incomplete',
    'All 1 attempts are used up.',
  ])
  expect(project.state().history).toContainEqual(
    expect.objectContaining({ kind: 'attempt-made', outcome: 'broke-off' }),
  )
  const tests = await project.mdtest('fix', '--resume', halted.report.session_id, '--tests-only')
  expect([tests.exitCode, JSON.parse(tests.stdout)]).toMatchObject([1, { total: 2, failed: 1, details: [{ line: 6 }] }])
  const resumed = await project.fix(
    '--resume',
    halted.report.session_id,
    '--max-attempts',
    '2',
    '--agent-timeout',
    '4m',
  )
  expect([resumed.exitCode, resumed.report.attempts]).toEqual([0, 2])
})

test('tests that pass need no agent, nor does one that is flaky', async () => {
  const flaky = `import { existsSync, writeFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import test from 'node:test'
test('is flaky', () => {
  const isFirst = !existsSync('.mdtest/flaky')
  writeFileSync('.mdtest/flaky', '')
  assert.equal(isFirst, false)
})
`
  using project = createFixProject({ ...nodeProject, 'sum.mjs': rightSum })
  const none = ['--agent', 'no-such-program {prompt}']
  const { exitCode, report } = await project.fix(...none)
  expect([exitCode, report.result, report.first_checkpoint]).toEqual([0, 'success', null])
  expect(project.state().history).toHaveLength(2)
  project.write('flaky.test.mjs', flaky)
  expect((await project.fix(...none)).report).toMatchObject({ result: 'success', attempts: 0, total_tests: 3 })
  project.write('sum.mjs', wrongSum)
  const failed = await project.fix(...none)
  expect(failed.exitCode).toBe(3)
  expect(failed.stderr).toContain('`no-such-program` is not an executable file on PATH.')
  const unlimited = await project.fix('--max-cost-usd', '1')
  expect(unlimited.exitCode).toBe(3)
  expect(unlimited.stderr).toContain('The agent `command` does not report its cost. Use the limits')
})

test('only what fails in the scope is fixed, and nothing is broken beside it', async () => {
  using project = createFixProject({
    ...nodeProject,
    'other/other.test.mjs': "import test from 'node:test'\ntest('other', () => { throw new Error('other') })\n",
    'near/near.test.mjs':
      "import test from 'node:test'\nimport { near } from './near.mjs'\ntest('near', () => near())\n",
    'near/near.mjs': "export const near = () => { throw new Error('near') }\n",
    'sum.mjs': rightSum,
  })
  const fixed = { 'near/near.mjs': 'export const near = () => undefined\n' }
  project.plan({ attempts: [{ write: { ...fixed, 'sum.mjs': wrongSum } }, { write: fixed }] })
  const { exitCode, report } = await project.fix('--scope', 'near/')
  expect([exitCode, report]).toMatchObject([0, { result: 'success', total_tests: 1, failing_tests: 0, attempts: 2 }])
  expect(project.read('sum.mjs')).toBe(rightSum)
})

test('red tests with other names in each run are fixed, and a test with the same name in each is not replaced', async () => {
  const product = (route: string, got: string): object => ({
    write: { 'sum.mjs': `export const routes = ['${route}']\nexport const get = () => '${got}'\n` },
  })
  using project = createFixProject({
    'package.json': '{ "type": "module" }',
    'sum.mjs': "export const routes = ['/users']\nexport const get = () => 'no'\n",
    'sum.test.mjs': `import assert from 'node:assert/strict'
import test from 'node:test'
import { get, routes } from './sum.mjs'
for (const name of [...routes, Math.random(), Math.random()]) test(\`gets \${name}\`, () => assert.equal(get(), 'yes'))
`,
  })
  project.plan({ attempts: [product('/orders', 'yes'), product('/users', 'yes')] })
  const { exitCode, report } = await project.fix('--runner', 'node')
  expect([exitCode, report]).toMatchObject([0, { result: 'success', total_tests: 3, attempts: 2 }])
  const undone = project.state().history.flatMap((act) => (act.kind === 'rolled-back' ? [[act.reason, act.names]] : []))
  expect(undone).toEqual([['tests-lost', expect.arrayContaining(['gets /users'])]])
})

test('a script of an agent runs only where it is allowed, also without git', async () => {
  const script =
    '#!/bin/sh\nif grep -q right answer.txt; then echo \'{"total":1,"failed":0,"details":[],"summary_path":"x"}\'; else echo \'{"total":1,"failed":1,"details":[{"name":"a"}],"summary_path":"x"}\'; exit 1; fi\n'
  using project = createFixProject({ 'answer.txt': 'wrong\n' })
  rmSync(project.path('.git'), { recursive: true })
  project.plan({
    script,
    attempts: [
      { write: { 'answer.txt': 'right\n', 'new.spec.ts': 'it.only()' } },
      { write: { 'answer.txt': 'right\n' } },
    ],
  })
  const refused = await project.fix()
  expect([refused.exitCode, refused.report]).toMatchObject([
    3,
    { result: 'error', reason: expect.stringContaining('--allow-script') },
  ])
  expect(project.calls()).toEqual([])
  const { exitCode, report } = await project.fix('--allow-script', '--may-change', 'answer.txt')
  expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 2 }])
  expect(project.calls()).toEqual(['test-tasker', 'prompt-writer', 'implementer', 'prompt-writer', 'implementer'])
  expect(existsSync(project.path('new.spec.ts'))).toBe(false)
  const tree = readFileSync(report.first_checkpoint ?? '', 'utf8').trim()
  const repository = `${project.sessionFolder()}/checkpoints/repository`
  expect(project.git('--git-dir', repository, 'show', `${tree}:answer.txt`)).toBe('wrong\n')
})

test('what the script of the tests starts is no code, and the script is put back', async () => {
  const script =
    '#!/bin/sh\nif sh check.sh; then echo \'{"total":1,"failed":0,"details":[],"summary_path":"x"}\'; else echo \'{"total":1,"failed":1,"details":[{"name":"a"}],"summary_path":"x"}\'; exit 1; fi\n'
  using project = createFixProject({ 'check.sh': 'grep -q right answer.txt\n', 'answer.txt': 'wrong\n' })
  const right = { 'answer.txt': 'right\n' }
  project.plan({
    script,
    attempts: [{ write: { 'check.sh': 'exit 0\n' } }, { write: right, remove: ['.mdtest'] }, { write: right }],
  })
  const { exitCode, report } = await project.fix('--allow-script', '--may-change', '*.txt')
  expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 3 }])
  expect(project.state().history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject([
    { reason: 'protected-files', names: ['check.sh'] },
    { reason: 'protected-files', names: ['artifacts/run-tests'] },
  ])
  expect(project.git('status', '--short')).toBe(' M answer.txt\n')
})

test('a scope that is not there is no success, nor is the set-up of a session that breaks', async () => {
  using project = createFixProject(nodeProject)
  const none = await project.mdtest(
    'fix',
    '--feature',
    'x',
    '--scope',
    'tests/typo',
    '--agent',
    'no-such-program {prompt}',
  )
  expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('There is no file or folder `tests/typo`')])
  const broken = await project.mdtest('fix', '--feature', 'x', '--agent', 'no-such-program {prompt}', '--json')
  expect([broken.exitCode, JSON.parse(broken.stdout)]).toMatchObject([3, { result: 'error', failing_tests: 1 }])
  expect(project.tidy('artifacts/halt.md')).toContain('`no-such-program` is not an executable file on PATH.')
})

test('several features are fixed at once, each on a branch of its own', async () => {
  using project = createFixProject({ ...nodeProject, 'package.json': nodeProject['package.json'] ?? '' })
  mkdirSync(project.path('node_modules/dependency'), { recursive: true })
  // The first fits a link, too.
  project.write('.gitignore', 'node_modules\n.venv/\n')
  mkdirSync(project.path('.venv'))
  project.write('notes.txt', 'not committed\n')
  project.plan({ attempts: [{ write: { 'sum.mjs': rightSum } }] })
  const before = project.git('status', '--short')
  const { exitCode, stdout } = await project.fix('--feature', 'Sums & more', '--max-agents', '2')
  const reports = JSON.parse(stdout) as readonly FixReport[]
  expect(reports.map(({ result, branch }) => [result, branch])).toEqual([
    ['success', 'mdtest/fix/sums'],
    ['success', 'mdtest/fix/sums-more'],
  ])
  expect(exitCode).toBe(0)
  for (const branch of ['mdtest/fix/sums', 'mdtest/fix/sums-more']) {
    expect(project.git('show', `${branch}:sum.mjs`)).toBe(rightSum)
    expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n').filter(Boolean)).toEqual([
      ...['.gitignore', 'notes.txt', 'package.json', 'sum.mjs', 'sum.test.mjs'],
    ])
    expect(project.git('diff', '--name-only', `${branch}~1`, branch)).toBe('sum.mjs\n')
  }
  // The user's own is as it was.
  expect(project.git('status', '--short')).toBe(before)
  expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(project.read('sum.mjs')).toBe(wrongSum)
})

const oneAttempt = ['--max-attempts', '1', '--runner', 'vitest'] as const // a tuple

describe('with Vitest, in a folder with every character', () => {
  test('a red suite under a scope is no success, and a green one is', async () => {
    using project = vitestProject({ 'src/other.test.js': "import { test } from 'vitest'\ntest('is', () => {})\n" })
    project.plan({ attempts: [{ summary: 'All is well.' }] })
    const { exitCode, report } = await project.fix('--scope', 'test', ...oneAttempt)
    expect([exitCode, report]).toMatchObject([1, { result: 'incomplete', failing_tests: 1 }])
    const ran = project.state().history.findLast((act) => act.kind === 'tests-ran')
    const file = `${project.sessionFolder()}/${ran?.kind === 'tests-ran' ? ran.resultsFile : ''}`
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      failing: [{ key: 'test/sum.test.js > adds', line: 3 }],
      others: [],
    })
    project.write('src/sum.js', rightSum)
    expect((await project.fix('--scope', 'test', ...oneAttempt)).report).toMatchObject({ result: 'success' })
  })

  test('a runner that ends red is no success, though all tests pass', async () => {
    using project = vitestProject({ 'src/sum.js': `${rightSum}setTimeout(() => { throw new Error('late') })\n` })
    project.plan({ attempts: [{ summary: 'All is well.' }] })
    const { exitCode, report } = await project.fix('--scope', 'test', ...oneAttempt)
    expect(report.result === 'success' && exitCode === 0, JSON.stringify(report)).toBe(false)
  })

  test('an attempt after which a test is skipped, and another runs in its place, is undone', async () => {
    using project = vitestProject()
    const lie = `import { beforeEach, test } from 'vitest'
beforeEach(({ task, skip }) => skip(task.name === 'adds', 'not now'))
test('adds up', () => {})
${wrongSum}`
    project.plan({ attempts: [{ write: { 'src/sum.js': lie } }, { write: { 'src/sum.js': rightSum } }] })
    const { exitCode, report } = await project.fix('--runner', 'vitest')
    expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 2, total_tests: 2 }])
    const undone = project.state().history.filter(({ kind }) => kind === 'rolled-back')
    expect(undone).toMatchObject([{ reason: 'tests-lost', names: ['adds'] }])
  })
})
