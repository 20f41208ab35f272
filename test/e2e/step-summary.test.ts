import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

// What the table holds after `vitest run` and `--merge-reports` is in reporters.test.ts.
test('`mdtest run` appends its specs to the summary of the job, once', async () => {
  await using project = await createProject({
    'a.test.md': passingSpec,
    'b.test.md': failingSpec,
    'summary.md': '# Before',
  })
  const { exitCode } = await project.mdtest(['run'], { env: { GITHUB_STEP_SUMMARY: project.path('summary.md') } })
  expect(exitCode).toBe(1)
  const lines = (await project.read('summary.md')).split('\n')
  expect(lines.slice(0, 4)).toEqual(['# Before', '## Specs', '', '1 passed, 1 failed'])
  expect(lines.filter((line) => line.includes('test.md'))).toEqual([
    expect.stringContaining('| b.test.md | ❌ failed | 1 verified | b.test.md:17 RUN_FAILED'),
    expect.stringContaining('| a.test.md | ✅ passed | 2 verified |  |  |'),
  ])
})

test('a summary that cannot be written fails nothing', async () => {
  await using project = await createProject({ 'a.test.md': passingSpec })
  const env = { GITHUB_STEP_SUMMARY: project.path('missing/summary.md') }
  const { exitCode, all } = await project.mdtest(['run'], { env })
  expect(all).toMatch(/mdtest: the file `.*missing\/summary\.md` that GITHUB_STEP_SUMMARY names cannot be written\./)
  expect(exitCode).toBe(0)
})
