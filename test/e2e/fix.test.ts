import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFixProject, expectFixExample, nodeProject, rightSum, wrongSum } from '../support/fix-project.ts'

// More of it: fix.slow.test.ts.

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
    'report.md',
    'run-tests',
    'test_config.json',
    'test_results.json',
  ])
  expect(existsSync(join(project.sessionFolder(), 'lock'))).toBe(false)
  await expectFixExample(project, 'success', ['implementer_status.json'])
})

test('whatever an attempt may not do is undone and told, and the next one may still succeed', async () => {
  using project = createFixProject({ ...nodeProject, 'notes.txt': 'old\n' })
  project.write('notes.txt', 'staged\n')
  project.git('add', 'notes.txt')
  project.write('notes.txt', 'not staged\n')
  const before = project.git('status', '--short') + project.git('for-each-ref', 'refs/heads') + project.git('diff')
  const weak = project.read('sum.test.mjs').replace('5)', '-1)')
  const write = { 'sum.mjs': rightSum }
  const run = "git -c user.name=a -c user.email=a@localhost commit -qam 'Fixed.'"
  project.plan({
    prompts: true,
    attempts: [
      { write: { 'sum.mjs': rightSum.replace('2 * a', '3 * a') }, summary: 'Breaks the other one.' },
      { write: { 'sum.test.mjs': weak, ...write }, summary: 'Weakens a test.' },
      { write, run, summary: 'Commits.' },
      { crash: true, write: { 'half.mjs': 'half' } },
      { say: 'Done, I think.', write: { ...write, 'half.mjs': 'whole' } },
      // A second call would undo the fix.
      { write: { 'sum.mjs': wrongSum } },
    ],
  })
  const { exitCode, report } = await project.fix()
  expect([exitCode, report.result, report.attempts]).toEqual([0, 'success', 5])
  const { history, state } = project.state()
  expect(history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject([
    { reason: 'made-worse', names: ['sum.test.mjs > doubles'] },
    { reason: 'protected-files', names: ['sum.test.mjs'] },
    { reason: 'protected-files', names: ['refs/heads/main'] },
  ])
  expect(project.calls()).toEqual([
    ...['implementer', 'implementer', 'prompt-writer', 'implementer', 'implementer'],
    ...['prompt-writer', 'implementer'],
  ])
  expect(state.summaries.map(({ reason }) => reason)).toEqual(['stuck', 'stuck'])
  expect(project.prompt(2)).toContain('It was undone, because it made other tests fail: `sum.test.mjs > doubles`.')
  expect(project.prompt(4)).toContain('Look at it from the other side.')
  expect(project.prompt(4)).toContain('changed protected files: `sum.test.mjs`')
  expect(history.findLast((act) => act.kind === 'attempt-made')?.summary).toBe(
    'The agent ended without a JSON object as its answer. Print `{ "status": "done", "summary": "…" }` last.',
  )
  const kept = project.git('for-each-ref', '--format=%(refname)', 'refs/mdtest/*/undone-*-head').trim()
  expect(project.git('show', `${kept}:sum.mjs`)).toBe(rightSum)
  expect([project.read('sum.mjs'), project.read('half.mjs')]).toEqual([rightSum, 'whole'])
  project.write('sum.mjs', wrongSum)
  expect(project.git('status', '--short') + project.git('for-each-ref', 'refs/heads') + project.git('diff')).toBe(
    before.replace('MM notes.txt\n', 'MM notes.txt\n?? half.mjs\n'),
  )
})

test('a signal ends it within an attempt; what was begun is undone when it goes on', async () => {
  using project = createFixProject(nodeProject)
  project.plan({ byAttempt: true, attempts: [{ hang: true, write: { 'sum.mjs': 'half', 'half.mjs': '' } }] })
  const running = project.fix()
  await expect.poll(() => existsSync(project.path('half.mjs')), { timeout: 200_000 }).toBe(true)
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
