import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changedFiles, hashFiles } from '../../src/host/hash-file.ts'
import { useFolders } from './use-folder.ts'

const newFolder = useFolders()

test('names the files that changed, came or went, and no other', () => {
  const folder = newFolder()
  const names = ['same', 'other', 'gone', 'new', 'never']
  for (const name of names.slice(0, 3)) writeFileSync(folder.at(name), 'text')
  const before = hashFiles(names.map((name) => folder.at(name)))
  writeFileSync(folder.at('same'), 'text')
  writeFileSync(folder.at('other'), 'Text')
  writeFileSync(folder.at('new'), '')
  rmSync(folder.at('gone'))
  expect(changedFiles(before)).toEqual(['other', 'gone', 'new'].map((name) => folder.at(name)))
})
