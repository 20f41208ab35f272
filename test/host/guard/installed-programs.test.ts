import { chmodSync, linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  changedPrograms,
  isOfPackages,
  programFolders,
  readPrograms,
  takesName,
} from '../../../src/host/guard/installed-programs.ts'
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

  test.each([
    ['/p/node_modules/.bin', true],
    ['/p/node_modules/.bin/x', false],
    ['/p/my_node_modules/.bin', false],
    ['/p/bin', false],
  ])('%s belongs to packages: %s', (folder, isTheirs) => {
    expect(isOfPackages(folder)).toBe(isTheirs)
  })
})

async function installed(): Promise<TestFolder> {
  const folder = newFolder()
  await folder.write({ 'bin/tool': '#!/bin/sh\necho 1\n', 'bin/other': 'x', 'lib/real': 'r', 'lib/second': 'r2' })
  symlinkSync('../lib/real', folder.at('bin/linked'))
  return folder
}

describe('programs that changed', () => {
  test.each<[string, (folder: TestFolder) => void, readonly string[]]>([
    ['none', () => {}, []],
    ['another content', ({ at }) => writeFileSync(at('bin/tool'), '#!/bin/sh\necho 2\n'), ['bin/tool']],
    ['the same content again', ({ at }) => writeFileSync(at('bin/tool'), '#!/bin/sh\necho 1\n'), []],
    ['other permissions', ({ at }) => chmodSync(at('bin/tool'), 0o755), ['bin/tool']],
    ['a new one', ({ at }) => writeFileSync(at('bin/new'), ''), ['bin/new']],
    ['the lock of a version manager', ({ at }) => writeFileSync(at('bin/.pyenv-shim'), ''), []],
    ['one that is gone', ({ at }) => rmSync(at('bin/other')), ['bin/other']],
    ['the target of a link', ({ at }) => writeFileSync(at('lib/real'), 'changed'), ['bin/linked']],
    [
      'a link elsewhere',
      ({ at }) => {
        rmSync(at('bin/linked'))
        symlinkSync('../lib/second', at('bin/linked'))
      },
      ['bin/linked'],
    ],
    ['a link that leads nowhere now', ({ at }) => rmSync(at('lib/real')), ['bin/linked']],
    [
      'a second name elsewhere, as stores of packages make it',
      ({ at }) => linkSync(at('bin/tool'), at('lib/tool')),
      [],
    ],
  ])('%s', async (_title, act, changed) => {
    const folder = await installed()
    const before = readPrograms([folder.at('bin'), folder.at('gone')])
    act(folder)
    const now = readPrograms(before.folders, before)
    expect(changedPrograms(before, now)).toEqual(changed.map((name) => folder.at(name)))
  })
})

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
