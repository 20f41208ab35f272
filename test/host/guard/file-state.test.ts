import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  changedFiles,
  hashBytes,
  hashFile,
  hashFiles,
  readContent,
  readStamp,
} from '../../../src/host/guard/file-state.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()

function contentOf(folder: TestFolder, name: string): string | undefined {
  const file = folder.at(name)
  return readContent(file, readStamp(file).mode)
}

describe('the content of a file', () => {
  test.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])('of %d bytes is known by its hash', async (length) => {
    const folder = newFolder()
    const text = 'x'.repeat(length)
    await folder.write({ 'a.txt': text })
    expect(contentOf(folder, 'a.txt')).toBe(hashBytes(text))
  })

  test('of a link is where it leads, there or not', async () => {
    const folder = newFolder()
    symlinkSync('/nowhere/at all', folder.at('link'))
    expect(contentOf(folder, 'link')).toBe('/nowhere/at all')
  })

  test('is not read of a file above 50 MiB', async () => {
    const folder = newFolder()
    writeFileSync(folder.at('large'), '')
    truncateSync(folder.at('large'), 50 * 1024 * 1024 + 1)
    expect(contentOf(folder, 'large')).toBeUndefined()
  })

  test('is nothing where there is no file, a folder, or a pipe that would wait for ever', async () => {
    const folder = newFolder()
    mkdirSync(folder.at('folder'))
    execFileSync('mkfifo', [folder.at('pipe')])
    expect(['gone', 'folder', 'pipe'].map((name) => contentOf(folder, name))).toEqual([undefined, undefined, undefined])
  })

  test('is nothing of what became a pipe or a link after it was looked at', async () => {
    const folder = newFolder()
    await folder.write({ 'a.txt': 'a', 'secret.txt': 's' })
    const { mode } = readStamp(folder.at('a.txt'))
    rmSync(folder.at('a.txt'))
    symlinkSync('secret.txt', folder.at('a.txt'))
    expect(readContent(folder.at('a.txt'), mode)).toBeUndefined()
    rmSync(folder.at('a.txt'))
    execFileSync('mkfifo', [folder.at('a.txt')])
    expect(readContent(folder.at('a.txt'), mode)).toBeUndefined()
  })
})

describe('the stamp of a file', () => {
  test.each<[string, (folder: TestFolder) => void]>([
    ['more text', ({ at }) => writeFileSync(at('a.txt'), 'longer')],
    ['other permissions', ({ at }) => chmodSync(at('a.txt'), 0o600)],
    ['another file in its place', ({ at }) => (rmSync(at('a.txt')), symlinkSync('b', at('a.txt')))],
    ['no file in its place', ({ at }) => rmSync(at('a.txt'))],
    ['a folder in its place', ({ at }) => (rmSync(at('a.txt')), mkdirSync(at('a.txt')))],
    ['times that were set back', ({ at }) => (writeFileSync(at('a.txt'), 'b'), utimesSync(at('a.txt'), 1, 1))],
  ])('changes with %s', async (_title, act) => {
    const folder = newFolder()
    await folder.write({ 'a.txt': 'a' })
    utimesSync(folder.at('a.txt'), 1, 1)
    const before = readStamp(folder.at('a.txt')).stamp
    act(folder)
    expect(readStamp(folder.at('a.txt')).stamp).not.toBe(before)
  })

  test.each([['gone'], ['a.txt/below'], [`${'x'.repeat(300)}`]])('of %s is that of a missing file', async (name) => {
    const folder = newFolder()
    await folder.write({ 'a.txt': 'a' })
    expect(readStamp(folder.at(name))).toEqual({ stamp: 'missing', mode: 0, ctimeMs: 0 })
  })

  test('of a folder does not change with what is in it', async () => {
    const folder = newFolder()
    mkdirSync(folder.at('sub'))
    const before = readStamp(folder.at('sub')).stamp
    await folder.write({ 'sub/new.txt': '' })
    expect(readStamp(folder.at('sub')).stamp).toBe(before)
  })
})

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
