import { symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { programFolders, takesName } from '../../../src/host/guard/guarded-places.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()

describe('folders of programs', () => {
  test.each<[string, Parameters<typeof programFolders>[0], readonly string[]]>([
    ['of the root alone', { root: '/p', path: undefined }, ['/p/node_modules/.bin']],
    [
      'of packages of a workspace',
      { root: '/p', packages: ['/p', '/p/a'], path: '' },
      ['/p/node_modules/.bin', '/p/a/node_modules/.bin'],
    ],
    [
      'on PATH below the root, relative ones too',
      { root: '/p', path: '/usr/bin:bin:/p/tools' },
      ['/p/node_modules/.bin', '/p/bin', '/p/tools'],
    ],
    [
      'on PATH below the home directory',
      { root: '/p', path: '/home/me/.local/bin:/home/you/bin', home: '/home/me' },
      ['/p/node_modules/.bin', '/home/me/.local/bin'],
    ],
    [
      'of packages elsewhere that are on PATH',
      { root: '/p', path: '/elsewhere/node_modules/.bin' },
      ['/p/node_modules/.bin', '/elsewhere/node_modules/.bin'],
    ],
    ['that are named twice', { root: '/p', path: '/p/bin::/p/bin:' }, ['/p/node_modules/.bin', '/p/bin']],
    [
      'are not the root, the home directory or all of the disk',
      { root: '/p', path: '/p:/home/me:/usr/bin', home: '/home/me' },
      ['/p/node_modules/.bin'],
    ],
    [
      'are not below a home directory that is all of the disk',
      { root: '/p', path: '/usr/bin', home: '/' },
      ['/p/node_modules/.bin'],
    ],
    ['are not below a root that is all of the disk', { root: '/', path: '/usr/bin' }, ['/node_modules/.bin']],
  ])('%s', (_title, places, folders) => {
    expect(programFolders(places)).toEqual(folders)
  })
})

async function installed(): Promise<TestFolder> {
  const folder = newFolder()
  await folder.write({ 'bin/tool': '#!/bin/sh\necho 1\n', 'bin/other': 'x', 'lib/real': 'r', 'lib/second': 'r2' })
  symlinkSync('../lib/real', folder.at('bin/linked'))
  return folder
}

describe('a program takes the name of another', () => {
  test.each([
    ['bin/tool', 'bin', false],
    ['lib/tool', 'bin', true],
    ['lib/unknown', 'bin', false],
    ['lib/tool', '', false],
    ['lib/linked', 'gone:bin', true],
  ])('%s with PATH %s: %s', async (file, path, isTaken) => {
    const folder = await installed()
    const folders = path.split(':').map((name) => (name === '' ? '' : folder.at(name)))
    expect(takesName(folder.at(file), folders.join(':'))).toBe(isTaken)
  })
})
