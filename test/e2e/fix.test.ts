import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFixProject, nodeProject, rightSum, wrongSum } from '../support/fix-project.ts'

test('a bug is fixed in one attempt, and nothing else has changed', async () => {
  using project = createFixProject(nodeProject)
  project.write('notes.txt', 'not committed\n')
  project.plan({ attempts: [{ write: { 'sum.mjs': rightSum }, summary: 'Added in place of subtracting.' }], prompts: true })
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
    'report.json',
    'run-tests',
    'test_config.json',
    'test_results.json',
  ])
  expect(existsSync(join(project.sessionFolder(), 'lock'))).toBe(false)
})
