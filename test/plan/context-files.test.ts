import { expect, test } from 'vitest'
import { contextFilesOf, createScenarioSearch } from '../../src/plan/dialect-of.ts'
import { useFolders } from '../host/use-folder.ts'

const newFolder = useFolders()

test('the files of a folder and of those above it, up to the root, the outermost first', () => {
  expect(contextFilesOf('/suite/openspec/specs/a/spec.md', '/suite/openspec')).toEqual([
    '/suite/openspec/mdtest.context.md',
    '/suite/openspec/specs/mdtest.context.md',
    '/suite/openspec/specs/a/mdtest.context.md',
  ])
  expect(contextFilesOf('/elsewhere/spec.md', '/suite')).toEqual([])
})

test('a scenario is looked for in the specs of other tools below the folder', async () => {
  const { path, at, write } = newFolder()
  await write({
    'openspec/specs/a/spec.md': '#### Scenario: First note  \n',
    'openspec/specs/b/spec.md': '#### Scenario: Second\n',
    'openspec/specs/b/notes.md': '#### Scenario: Third\n',
  })
  const has = createScenarioSearch({ root: path, dialects: {} })
  const file = at('openspec/specs/b/mdtest.context.md')
  expect(['First note', 'Second', 'Third'].map((title) => has(title, at('openspec/mdtest.context.md')))).toEqual([
    true,
    true,
    false,
  ])
  expect(['First note', 'Second'].map((title) => has(title, file))).toEqual([false, true])
})

test('a scenario that has gone to another file, or from all of them, is looked for anew; packages are none', async () => {
  const { path, at, write } = newFolder()
  await write({ 'openspec/specs/a/spec.md': '#### Scenario: First\n', 'openspec/specs/b/spec.md': '' })
  const has = (): boolean => createScenarioSearch({ root: path, dialects: {} })('First', at('mdtest.context.md'))
  expect([has(), has()]).toEqual([true, true])
  await write({ 'openspec/specs/a/spec.md': '', 'openspec/specs/b/spec.md': '#### Scenario: First\n' })
  expect(has()).toBe(true)
  await write({
    'openspec/specs/b/spec.md': '',
    'node_modules/a/openspec/specs/a/spec.md': '#### Scenario: First\n',
  })
  expect(has()).toBe(false)
})
