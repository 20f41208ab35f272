import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { expect, test, describe } from 'vitest'
import { listFiles } from '../../../src/system/files/list-files.ts'
import { lookAt, readFileIn } from '../../../src/system/files/read-file.ts'
import { RefusedError } from '../../../src/system/files/file-errors.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'
import { groundAt, groundFor, inFolder } from '../../../src/system/files/trusted-folder.ts'
import { removeIn } from '../../../src/system/files/remove-files.ts'
import {
  appendFile,
  createFile,
  makeFolder,
  makeNewFolder,
  openNewFile,
  replaceFile,
} from '../../../src/system/files/write-file.ts'

const newFolder = useFolders()

/** `own/` is ours, `foreign/` is the user's; `own/out` and `own/sub/out` are links to it. */
async function places(): Promise<TestFolder> {
  const folder = newFolder()
  await folder.write({ 'own/sub/a.txt': 'a', 'foreign/.env': 'KEY=1', 'foreign/deep/b.txt': 'b' })
  symlinkSync('../foreign', folder.at('own/out'))
  symlinkSync('../../foreign', folder.at('own/sub/out'))
  symlinkSync('../../foreign/.env', folder.at('own/sub/env'))
  return folder
}

function foreign(folder: TestFolder): unknown {
  return [readdirSync(folder.at('foreign')).toSorted(), readFileSync(folder.at('foreign/.env'), 'utf8')]
}

const untouched = [['.env', 'deep'], 'KEY=1']

describe('nothing is done through a link', () => {
  test.for(['own/out', 'own/sub/out'])('to a folder: %s', async (way) => {
    const folder = await places()
    const ground = groundAt(folder.path)
    const file = folder.at(way, '.env')
    expect(readFileIn(ground, file, 100)).toEqual({
      ok: false,
      why: 'refused',
      message: expect.stringContaining(`\`${folder.at(way)}\` is a link to`),
    })
    expect(lookAt(ground, file)).toBeUndefined()
    const actions = [
      () => replaceFile(ground, file, 'x'),
      () => createFile(ground, folder.at(way, 'new'), 'x'),
      () => appendFile(ground, file, 'x'),
      () => openNewFile(ground, file),
      () => removeIn(ground, file),
      () => removeIn(ground, folder.at(way, 'deep')),
      () => makeFolder(ground, folder.at(way)),
      () => makeFolder(ground, folder.at(way, 'new/er')),
      () => makeNewFolder(ground, folder.at(way, 'new')),
    ]
    for (const action of actions) expect(action).toThrow(RefusedError)
    expect(foreign(folder)).toEqual(untouched)
  })

  test('to a file', async () => {
    const folder = await places()
    const ground = groundAt(folder.path)
    const file = folder.at('own/sub/env')
    expect(readFileIn(ground, file, 100)).toEqual({ ok: false, why: 'not-regular', found: 'a symbolic link' })
    expect(() => appendFile(ground, file, 'x')).toThrow(/ELOOP/)
    expect(createFile(ground, file, 'x')).toBe(false)
    expect(makeNewFolder(ground, file)).toBe(false)
    replaceFile(ground, file, 'x')
    expect([lstatSync(file).isFile(), ...(foreign(folder) as unknown[])]).toEqual([true, ...untouched])
  })

  test('when it is removed, alone or with the folder that holds it', async () => {
    const folder = await places()
    const ground = groundAt(folder.path)
    removeIn(ground, folder.at('own/out'))
    removeIn(ground, folder.at('own/sub'))
    removeIn(ground, folder.at('own/none/at/all'))
    expect(readdirSync(folder.at('own'))).toEqual([])
    expect(foreign(folder)).toEqual(untouched)
  })

  test('and lists name links, and say what was not listed', async () => {
    const folder = await places()
    const ground = groundAt(folder.path)
    const { files, refused } = listFiles(ground, folder.at('own'), { maxFiles: 100 })
    const named = files.map(({ name, stats }) => [name, stats.isFile()])
    expect(named.toSorted()).toEqual([
      ['out', false],
      ['sub/a.txt', true],
      ['sub/env', false],
      ['sub/out', false],
    ])
    expect(refused).toBeUndefined()
    expect(listFiles(ground, folder.at('own/out'), { maxFiles: 100 })).toEqual({
      files: [],
      refused: expect.stringContaining('is a link to `../foreign`'),
    })
  })

  test('with `..` in a path, nor out of the ground', async () => {
    const folder = await places()
    const ground = groundAt(folder.at('own'))
    for (const path of ['own/../foreign/.env', 'foreign/.env', 'own/sub/../../foreign/.env'].map((way) =>
      folder.at(way),
    )) {
      expect(readFileIn(ground, path, 100)).toMatchObject({ ok: false, why: 'refused' })
      expect(() => replaceFile(ground, path, 'x')).toThrow('is not below')
      expect(() => removeIn(ground, path)).toThrow('is not below')
    }
    expect(() => inFolder(ground, ground.real, (at) => at('..'))).toThrow('is not the name of a file')
    expect(foreign(folder)).toEqual(untouched)
  })
})

test('a file with another name elsewhere is not written to: the other keeps what it holds', async () => {
  const folder = await places()
  const ground = groundAt(folder.at('own'))
  const file = folder.at('own/hard')
  linkSync(folder.at('foreign/.env'), file)
  expect(() => appendFile(ground, file, 'x')).toThrow('has another name')
  replaceFile(ground, file, { content: 'x', mode: 0o640 })
  expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o777]).toEqual(['x', 0o640])
  expect(foreign(folder)).toEqual(untouched)
})

test('pipes and folders in the place of a file are not waited for', async () => {
  const folder = await places()
  const ground = groundAt(folder.path)
  execFileSync('mkfifo', [folder.at('own/pipe')])
  expect(readFileIn(ground, folder.at('own/pipe'), 100)).toMatchObject({ found: 'a named pipe' })
  expect(() => appendFile(ground, folder.at('own/pipe'), 'x')).toThrow()
  expect(readFileIn(ground, folder.at('own/sub'), 100)).toMatchObject({ found: 'a directory' })
  expect(() => replaceFile(ground, folder.at('own/sub'), 'x')).toThrow()
  expect(readdirSync(folder.at('own')).toSorted()).toEqual(['out', 'pipe', 'sub'])
})

test('a ground may lie behind links; one that is put on the way to it later is found', async () => {
  const folder = await places()
  symlinkSync('own', folder.at('alias'))
  const ground = groundAt(folder.at('alias'))
  for (const name of ['alias', 'own']) {
    expect(readFileIn(ground, folder.at(name, 'sub/a.txt'), 100)).toMatchObject({ ok: true })
  }
  makeFolder(ground, folder.at('alias/new/er'))
  expect(existsSync(folder.at('own/new/er'))).toBe(true)
  renameSync(folder.at('own'), folder.at('moved'))
  symlinkSync('foreign', folder.at('own'))
  expect(readFileIn(ground, folder.at('own/.env'), 100)).toMatchObject({ ok: false, why: 'refused' })
  expect(() => replaceFile(ground, folder.at('alias/.env'), 'x')).toThrow('is a link to')
  expect(foreign(folder)).toEqual(untouched)
})

test('what somebody names outside of the project is taken as it is, what is inside is not', async () => {
  const folder = await places()
  symlinkSync('../foreign', folder.at('own/reports'))
  const outside = groundFor(folder.at('own/reports'), folder.at('elsewhere'))
  makeFolder(outside, folder.at('own/reports/new'))
  expect(existsSync(folder.at('foreign/new'))).toBe(true)
  const inside = groundFor(folder.at('own/reports'), folder.at('own'))
  expect(() => makeFolder(inside, folder.at('own/reports/newer'))).toThrow('is a link to')
})

describe('a folder that is held', () => {
  test('is refused behind a link, and where it is a file', async () => {
    const folder = await places()
    const ground = groundAt(folder.path)
    for (const name of ['own/out/deep', 'own/sub/out', 'own/sub/a.txt', 'own/sub/a.txt/x']) {
      expect(() => inFolder(ground, folder.at(name), () => 'done')).toThrow(RefusedError)
    }
    expect(inFolder(ground, folder.at('own/sub'), (at) => readFileSync(at('a.txt'), 'utf8'))).toBe('a')
    expect(() => inFolder(ground, folder.at('none'), () => 'done')).toThrow(/ENOENT/)
  })

  test.runIf(process.platform === 'linux')('is not exchanged while something is done in it', async () => {
    const folder = await places()
    inFolder(groundAt(folder.path), folder.at('own/sub'), (at) => {
      renameSync(folder.at('own/sub'), folder.at('own/gone'))
      symlinkSync('../foreign', folder.at('own/sub'))
      writeFileSync(at('new'), 'x')
    })
    expect(existsSync(folder.at('own/gone/new'))).toBe(true)
    expect(foreign(folder)).toEqual(untouched)
  })
})

test('errors of the system name the path that people know', async () => {
  const folder = await places()
  const file = folder.at('own/none/x')
  expect(() => replaceFile(groundAt(folder.path), file, 'x')).toThrow(dirname(file))
  mkdirSync(folder.at('own/dir'))
  expect(() => replaceFile(groundAt(folder.path), folder.at('own/dir'), 'x')).toThrow(folder.at('own'))
})
