import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRunFolder, removeRunFolder } from '../../../../src/system/process/launcher/run-folder.ts'

const runMark = 'mdtest-0123456789abcdef'
let base: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-run-folder-')))
  vi.stubEnv('TMPDIR', base)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true, force: true })
})

describe('the folder of a run', () => {
  test('is made with its first subfolder, for this user alone, and goes with all it holds', () => {
    const folder = createRunFolder(runMark)
    expect(folder.paths()).toEqual([join(base, runMark)])
    expect(readdirSync(base)).toEqual([])
    const subfolders = [folder.makeSubfolder(), folder.makeSubfolder()]
    expect(subfolders).toEqual([join(base, runMark, '1'), join(base, runMark, '2')])
    for (const path of [...folder.paths(), ...subfolders]) expect(statSync(path).mode & 0o777).toBe(0o700)
    writeFileSync(join(subfolders[0] ?? '', 'file'), '')
    folder.remove()
    expect(readdirSync(base)).toEqual([])
  })

  test('holds the socket, unless the path is too long for one: then a folder of the same name in /tmp does', () => {
    const folder = createRunFolder(runMark)
    expect(folder.makeSocketPath()).toBe(join(base, runMark, 'launcher.sock'))
    folder.remove()
    const deep = join(base, 'x'.repeat(100))
    mkdirSync(deep)
    vi.stubEnv('TMPDIR', deep)
    const other = createRunFolder(runMark)
    const path = other.makeSocketPath()
    expect([path, other.paths()]).toEqual([`/tmp/${runMark}/launcher.sock`, [join(deep, runMark), `/tmp/${runMark}`]])
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    other.remove()
    expect(existsSync(dirname(path))).toBe(false)
  })

  test('leaves a browser room for its socket: a folder of the same name in /tmp, where the path would be too long', () => {
    const folder = createRunFolder(runMark)
    const short = folder.makeBrowserFolder()
    folder.remove()
    const deep = join(base, 'x'.repeat(30))
    mkdirSync(deep)
    vi.stubEnv('TMPDIR', deep)
    const other = createRunFolder(runMark)
    const made = [short, other.makeSubfolder(), other.makeBrowserFolder()]
    expect(made).toEqual([join(base, runMark, '1'), join(deep, runMark, '1'), `/tmp/${runMark}/2`])
    expect(other.paths()).toEqual([join(deep, runMark), `/tmp/${runMark}`])
    other.remove()
    expect(made.filter((path) => existsSync(dirname(path)))).toEqual([])
  })

  test('comes back when something has removed it', () => {
    const folder = createRunFolder(runMark)
    rmSync(join(folder.makeSubfolder(), '..'), { recursive: true })
    expect(existsSync(folder.makeSubfolder())).toBe(true)
  })

  test.for(['folder', 'link'])('is not taken over from someone else who made a %s', (kind) => {
    mkdirSync(join(base, 'other'))
    if (kind === 'link') symlinkSync('other', join(base, runMark))
    else mkdirSync(join(base, runMark))
    const folder = createRunFolder(runMark)
    expect(() => folder.makeSubfolder()).toThrow('EEXIST')
    folder.remove()
    expect(readdirSync(base).toSorted()).toEqual([runMark, 'other'].toSorted())
  })
})

describe('removing the folder of a run', () => {
  test.for([
    ['of another name', 'mdtest-0123456789abcdee', runMark],
    ['whose mark is none of a run', 'project', 'project'],
    ['whose mark is empty', '', ''],
  ] as const)('leaves one %s', ([, name, mark]) => {
    mkdirSync(join(base, name), { recursive: true })
    removeRunFolder(join(base, name), mark)
    expect(existsSync(join(base, name))).toBe(true)
  })

  test('leaves what it is a link to, and what links in it point to', () => {
    mkdirSync(join(base, 'other'))
    writeFileSync(join(base, 'other/file'), '')
    symlinkSync('other', join(base, runMark))
    removeRunFolder(join(base, runMark), runMark)
    rmSync(join(base, runMark))
    mkdirSync(join(base, runMark))
    symlinkSync(join(base, 'other'), join(base, runMark, 'link'))
    removeRunFolder(join(base, runMark), runMark)
    expect(readdirSync(base)).toEqual(['other'])
    expect(readdirSync(join(base, 'other'))).toEqual(['file'])
  })

  test('leaves a relative path', () => {
    const path = join(base, runMark)
    mkdirSync(path)
    removeRunFolder(relative(process.cwd(), path), runMark)
    expect(existsSync(path)).toBe(true)
  })
})
