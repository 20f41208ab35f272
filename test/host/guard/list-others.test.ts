import { expect, test } from 'vitest'
import { listOthers } from '../../../src/host/guard/guarded-places.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()
const files = {
  'notes.mjs': '1',
  'sub/new.mjs': '1',
  'data.json': '[]',
  'node_modules/a/index.js': '',
  'a.logs/t.log.md': '',
}

test('files that git neither tracks nor ignores', async () => {
  const folder = newFolder()
  await folder.write({ '.gitignore': 'data.json\nnode_modules\n', 'tracked.mjs': '1' })
  folder.commitAll()
  await folder.write(files)
  const context = { folder: folder.path, env: process.env }
  expect(await listOthers(context, true)).toEqual({ names: ['notes.mjs', 'sub/new.mjs'], hasMore: undefined })
})

test('without git, all files but logs and those of packages', async () => {
  const folder = newFolder()
  await folder.write(files)
  const { names } = await listOthers({ folder: folder.path, env: process.env }, false)
  expect(names.toSorted()).toEqual(['data.json', 'notes.mjs', 'sub/new.mjs'])
})
