import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { passingSpec } from '../support/specs.ts'

const files = { 'vitest.config.js': plainConfig, 'a.test.md': passingSpec }

// At the same path: reporters.test.ts.
test('results of a project at another path are merged, or said to be lost', async () => {
  await using one = await createProject(files)
  await using other = await createProject(files)
  await one.vitest(['run', '--reporter=blob', '--outputFile.blob=blob.json'])
  await other.write('blobs/1.json', await one.read('blob.json'))
  const env = { GITHUB_STEP_SUMMARY: other.path('summary.md') }
  const { all } = await other.vitest(['--merge-reports=blobs', '--reporter=default'], { env })
  expect(all).toContain('✓ |mdtest| a.test.md (2 tests)')
  if (lane.vitestMajor === 4) return expect(all).toContain('Use the same path for the project on every machine.')
  expect(all).not.toContain('mdtest: Some')
  expect(await other.read('summary.md')).toContain('| a.test.md | ✅ passed | 2 verified |')
})
