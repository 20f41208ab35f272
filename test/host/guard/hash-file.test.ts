import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changedFiles, hashFile, hashFiles } from '../../../src/host/guard/file-state.ts'
import { useFolders } from '../use-folder.ts'

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

test('a file that became a pipe, a device or a folder has no hash, and nobody waits for it', async () => {
  const folder = newFolder()
  await folder.write({ 'a.test.md': '# A\n' })
  const before = hashFiles([folder.at('a.test.md')])
  rmSync(folder.at('a.test.md'))
  execFileSync('mkfifo', [folder.at('a.test.md')])
  symlinkSync('/dev/zero', folder.at('zero'))
  expect(changedFiles(before)).toEqual([folder.at('a.test.md')])
  expect([hashFile(folder.at('zero')), hashFile(folder.path)]).toEqual([undefined, undefined])
})
