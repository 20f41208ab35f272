import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileBlock } from '../../src/blocks/write-file-block.ts'
import type { BlockFinding } from '../../src/blocks/block-finding.ts'

let base: string
let cwd: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mdtest-file-block-'))
  cwd = join(base, 'work')
  mkdirSync(cwd)
})

afterEach(() => rmSync(base, { recursive: true }))

function write(file: string, code = 'new'): BlockFinding {
  const attributes = { env: {}, file }
  return writeFileBlock({ kind: 'file', role: 'file', line: 3, column: 1, codeLine: 4, code, attributes }, cwd)
}

function read(name: string): string {
  return readFileSync(join(cwd, name), 'utf8')
}

test('writes the text with a final newline, and makes its folders', () => {
  expect(write('a/b c/./d.json', '{}\n\n  x')).toEqual({ status: 'pass', message: '' })
  expect(read('a/b c/d.json')).toBe('{}\n\n  x\n')
  expect(write('empty', '')).toMatchObject({ status: 'pass' })
  expect(read('empty')).toBe('')
  expect(write('a/../e')).toMatchObject({ status: 'pass' })
  expect(read('e')).toBe('new\n')
  expect(statSync(join(cwd, 'e')).mode & 0o111).toBe(0)
})

test('replaces a file, and not what the same file is called elsewhere', () => {
  writeFileSync(join(base, 'outside'), 'old')
  linkSync(join(base, 'outside'), join(cwd, 'a'))
  expect(write('a')).toMatchObject({ status: 'pass' })
  expect(read('a')).toBe('new\n')
  expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('old')
})

test.each([
  ['../outside', /leads out/],
  ['a/../../outside', /leads out/],
  ['link', /is a symbolic link/],
  ['folder-link/outside', /`folder-link` is a symbolic link/],
  ['inner-link/x', /`inner-link` is a symbolic link/],
  ['folder', /is a directory/],
  ['file/x', /`file` is a file/],
])('refuses %s', (file, message) => {
  writeFileSync(join(base, 'outside'), 'old')
  symlinkSync(join(base, 'outside'), join(cwd, 'link'))
  symlinkSync(base, join(cwd, 'folder-link'))
  mkdirSync(join(cwd, 'folder'))
  symlinkSync(join(cwd, 'folder'), join(cwd, 'inner-link'))
  writeFileSync(join(cwd, 'file'), '')
  expect(write(file)).toMatchObject({ status: 'fail', message: expect.stringMatching(message) })
  expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('old')
  expect(existsSync(join(cwd, 'folder/x'))).toBe(false)
})
