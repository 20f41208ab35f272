import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'
import { lookAt, readFileIn, readForeignFile } from '../../../src/system/files/read-file.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-read-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ground = groundAt(folder)
const at = (name: string): string => join(folder, name)
mkdirSync(at('folder'))
writeFileSync(at('file'), 'four')
writeFileSync(at('empty'), '')
writeFileSync(at('folder/inner'), 'in')
symlinkSync('file', at('link'))
symlinkSync('folder', at('way'))
symlinkSync('nowhere', at('broken'))
symlinkSync('self', at('self'))
execFileSync('mkfifo', [at('pipe')])

test.each<[string, object | string]>([
  ['file', 'four'],
  ['empty', ''],
  ['none', { why: 'missing' }],
  ['none/none', { why: 'missing' }],
  ['folder', { why: 'not-regular', found: 'a directory' }],
  ['pipe', { why: 'not-regular', found: 'a named pipe' }],
  ['link', { why: 'not-regular', found: 'a symbolic link' }],
  ['broken', { why: 'not-regular', found: 'a symbolic link' }],
  ['self', { why: 'not-regular', found: 'a symbolic link' }],
  ['way/inner', { why: 'refused' }],
  ['../outside', { why: 'refused' }],
  ['x'.repeat(300), { why: 'unreadable', errorCode: 'ENAMETOOLONG' }],
])('reading %s gives %j', (name, expected) => {
  const read = readFileIn(ground, at(name), 4)
  if (typeof expected === 'string') expect(read.ok && read.bytes.toString()).toBe(expected)
  else expect(read).toMatchObject({ ok: false, ...expected })
})

test('a file may have as many bytes as are asked for, and no more', () => {
  expect(readFileIn(ground, at('file'), 4).ok).toBe(true)
  expect(readFileIn(ground, at('file'), 3)).toEqual({ ok: false, why: 'too-large' })
})

test('what is read by somebody else’s link is followed, and not waited for', () => {
  const read = (name: string): string | undefined => readForeignFile(at(name), 100)?.toString()
  expect(['link', 'way/inner', 'file'].map(read)).toEqual(['four', 'in', 'four'])
  expect(['broken', 'self', 'pipe', 'folder', 'none'].map(read)).toEqual(Array(5).fill(undefined))
})

test.runIf(process.platform === 'linux')('a file whose size is said to be 0 is read, and limited, all the same', () => {
  expect(readForeignFile('/proc/self/status', 100_000)?.toString()).toContain('Pid:')
  expect(readForeignFile('/proc/self/status', 10)).toBeUndefined()
})

test('a pipe is not opened, and a link is seen as itself', () => {
  expect(lookAt(ground, at('link'))?.isSymbolicLink()).toBe(true)
  expect(lookAt(ground, at('pipe'))?.isFIFO()).toBe(true)
  expect(lookAt(ground, at('way/inner'))).toBeUndefined()
})
