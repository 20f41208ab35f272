import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { FixReport } from '../../src/commands/fix/session/fix-report.ts'
import { createFixProject, type FixProject, nodeProject, rightSum, wrongSum } from '../support/fix-project.ts'

test('a bug is fixed in one attempt, and nothing else has changed', async () => {
  using project = createFixProject(nodeProject)
  project.write('notes.txt', 'not committed\n')
  project.plan({
    attempts: [{ write: { 'sum.mjs': rightSum }, summary: 'Added in place of subtracting.' }],
    prompts: true,
  })
  const { exitCode, report } = await project.fix()
  expect(report).toMatchObject({ result: 'success', total_tests: 2, failing_tests: 0, attempts: 1 })
  expect(exitCode).toBe(0)
  expect(project.read('sum.mjs')).toBe(rightSum)
  expect(project.git('status', '--short')).toBe(' M sum.mjs\n?? notes.txt\n')
  expect(project.git('show', `${report.first_checkpoint}:notes.txt`)).toBe('not committed\n')
  expect(project.git('show', `${report.first_checkpoint}:sum.mjs`)).toBe(wrongSum)
  expect(project.calls()).toEqual(['implementer'])
  expect(project.prompt(1)).toContain('sum.test.mjs:6')
  expect(project.state().history.map((act) => ('purpose' in act ? act.purpose : act.kind))).toEqual([
    'tests-configured',
    'baseline',
    'confirm-failing',
    'prompt-written',
    'attempt-made',
    'after-attempt',
    'confirm-passing',
  ])
  expect(report.artifacts.map((path) => path.split('/artifacts/')[1])).toEqual([
    'attempts/1/implementer_prompt.json',
    'attempts/1/implementer_status.json',
    'implementer_prompt.json',
    'implementer_status.json',
    'run-tests',
    'test_config.json',
    'test_results.json',
  ])
  expect(existsSync(join(project.sessionFolder(), 'lock'))).toBe(false)
  await expectExample(project, 'success', ['implementer_status.json'])
})

/** What people can read in `examples/` is what it writes. */
async function expectExample(project: FixProject, name: string, artifacts: readonly string[]): Promise<void> {
  const folder = fileURLToPath(new URL(`../../examples/fix-sessions/${name}`, import.meta.url))
  for (const file of [
    'state.json',
    'events.jsonl',
    'artifacts/report.json',
    ...artifacts.map((each) => `artifacts/${each}`),
  ]) {
    await expect(project.tidy(file)).toMatchFileSnapshot(join(folder, basename(file)))
  }
}

test('whatever an attempt may not do is undone and told, and the next one may still succeed', async () => {
  using project = createFixProject(nodeProject)
  const test_ = project.read('sum.test.mjs')
  const manifest = JSON.parse(project.read('package.json')) as object
  project.plan({
    prompts: true,
    attempts: [
      { write: { 'sum.mjs': rightSum.replace('2 * a', '3 * a') }, summary: 'Breaks the other one.' },
      { write: { 'sum.test.mjs': test_.replace('5)', '-1)'), 'sum.mjs': rightSum }, summary: 'Weakens a test.' },
      { remove: ['sum.test.mjs'], summary: 'Deletes the tests.' },
      {
        write: { '.gitignore': '*', 'package.json': JSON.stringify({ ...manifest, scripts: { test: 'true' } }) },
        summary: 'Tests nothing.',
      },
      { crash: true, write: { 'half.mjs': 'half' } },
      { say: 'Done, I think.', write: { 'sum.mjs': rightSum, 'half.mjs': 'whole' } },
    ],
  })
  const { exitCode, report } = await project.fix()
  expect([exitCode, report.result, report.attempts]).toEqual([0, 'success', 6])
  expect(project.git('status', '--short')).toBe(' M sum.mjs\n?? half.mjs\n')
  expect(project.read('sum.mjs')).toBe(rightSum)
  const { history, state } = project.state()
  expect(history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject([
    { reason: 'made-worse', names: ['sum.test.mjs > doubles'] },
    { reason: 'protected-files', names: ['sum.test.mjs'] },
    { reason: 'protected-files', names: ['sum.test.mjs'] },
    { reason: 'protected-files', names: ['.gitignore', 'package.json'] },
  ])
  expect(project.calls()).toEqual([
    ...['implementer', 'implementer', 'prompt-writer', 'implementer', 'implementer'],
    ...['prompt-writer', 'implementer', 'implementer', 'implementer'],
  ])
  expect(state.summaries.map(({ version, reason }) => [version, reason])).toEqual([
    [1, 'stuck'],
    [2, 'stuck'],
  ])
  expect(project.prompt(2)).toContain('It was undone, because it made other tests fail: `sum.test.mjs > doubles`.')
  expect(project.prompt(4)).toContain('Look at it from the other side.')
  expect(project.prompt(4)).toContain('changed what may not be changed: `sum.test.mjs`')
  // The answer that could not be read was asked for once more.
  expect(project.prompt(9)).toContain('Your answer could not be used')
})

test('an attempt that moves HEAD, a branch or the stash is undone, and all of it is put back', async () => {
  using project = createFixProject({ ...nodeProject, 'notes.txt': 'old\n' })
  project.write('notes.txt', 'staged\n')
  project.git('add', 'notes.txt')
  project.write('notes.txt', 'not staged\n')
  const before = project.git('status', '--short') + project.git('for-each-ref', 'refs/heads') + project.git('diff')
  const commit = "git -c user.name=a -c user.email=a@localhost commit -qam 'Fixed.'"
  const write = { 'sum.mjs': rightSum }
  project.plan({
    prompts: true,
    attempts: [
      { write, run: commit, summary: 'Commits.' },
      { run: `git checkout -qb own; ${commit}; git stash list`, write, summary: 'Commits elsewhere.' },
      { write, run: 'git add -A', summary: 'Stages.' },
    ],
  })
  const { exitCode, report } = await project.fix()
  expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 3 }])
  expect(project.state().history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject([
    { reason: 'protected-files', names: ['refs/heads/main'] },
    { reason: 'protected-files', names: ['HEAD'] },
  ])
  expect(project.prompt(2)).toContain('because it changed what may not be changed: `refs/heads/main`')
  project.write('sum.mjs', wrongSum)
  expect(project.git('status', '--short') + project.git('for-each-ref', 'refs/heads') + project.git('diff')).toBe(
    before,
  )
  const kept = project.git('for-each-ref', '--format=%(refname)', 'refs/mdtest/*/undone-*-head').trim().split('\n')
  expect(kept.map((ref) => project.git('show', `${ref}:sum.mjs`))).toEqual([rightSum, rightSum])
})

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
  await expectExample(project, 'halt', ['summary.json', 'halt.md'])

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
    '1m',
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
  expect(unlimited.stderr).toContain('The agent `command` does not tell what it costs. Limit it by')
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
  expect([exitCode, report]).toMatchObject([0, { result: 'success', total_tests: 4, failing_tests: 0, attempts: 2 }])
  expect(project.read('sum.mjs')).toBe(rightSum)
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
  expect(readFileSync(report.first_checkpoint ?? '', 'utf8')).toContain('answer.txt')
})

test('a test that does not run is not fixed, whatever runs in its place', async () => {
  using project = createFixProject(nodeProject)
  const others = project.read('sum.test.mjs').replaceAll('sum.mjs', 'right.mjs')
  const trick = { 'sum.mjs': `${wrongSum}process.exit(0)\n`, 'more.test.mjs': others, 'right.mjs': rightSum }
  project.plan({ attempts: [{ write: trick }, { write: { 'sum.mjs': rightSum } }] })
  const { exitCode, report } = await project.fix()
  expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 2, total_tests: 2 }])
  expect(project.state().history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject([{ reason: 'tests-lost' }])
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

test('a signal ends it within an attempt; what was begun is undone when it goes on', async () => {
  using project = createFixProject(nodeProject)
  project.plan({ byAttempt: true, attempts: [{ hang: true, write: { 'sum.mjs': 'half', 'half.mjs': '' } }] })
  const running = project.fix()
  await expect.poll(() => existsSync(project.path('half.mjs')), { timeout: 60_000 }).toBe(true)
  const lock = () => Number(readFileSync(join(project.sessionFolder(), 'lock'), 'utf8'))
  const other = await project.fix('--resume', project.state().session_id)
  expect([other.exitCode, other.stderr]).toEqual([3, expect.stringContaining('is working on the session')])
  process.kill(lock(), 'SIGTERM')
  const { exitCode, stderr } = await running
  expect([exitCode, stderr]).toEqual([143, expect.stringContaining('mdtest fix --resume sums-')])
  project.plan({ attempts: [{ write: { 'sum.mjs': rightSum } }] })
  const resumed = await project.fix('--resume', project.state().session_id)
  expect([resumed.exitCode, resumed.report.attempts]).toEqual([0, 1])
  // Neither told its cost; the first was cut off with us.
  expect(resumed.report).toMatchObject({ cost_usd: null, calls_without_cost: 2 })
  expect(project.git('status', '--short')).toBe(' M sum.mjs\n')
  const undone = project
    .git('for-each-ref', '--format=%(refname)', 'refs/mdtest')
    .split('\n')
    .find((ref) => ref.includes('undone'))
  expect(project.git('ls-tree', '--name-only', undone ?? '')).toContain('half.mjs')
})
