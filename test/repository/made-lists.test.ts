import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocPages } from './doc-pages.ts'
import { fillLists, listNames, lists } from './made-lists.ts'
import { root } from './tracked-files.ts'

const pages = readDocPages()
const withLists = pages.filter(({ text }) => listNames(text).length > 0)

test('each list that is made from the code stands in a page, once', () => {
  expect(withLists.flatMap(({ text }) => listNames(text)).toSorted()).toEqual([...lists.keys()].toSorted())
})

test.each(withLists)('the lists of $path are those of the code', async ({ path, text }) => {
  await expect(fillLists(text)).toMatchFileSnapshot(join(root, path))
})
