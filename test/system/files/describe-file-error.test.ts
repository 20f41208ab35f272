import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeFileError } from '../../../src/system/files/file-errors.ts'

const dir = mkdtempSync(join(tmpdir(), 'mdtest-file-error-'))
afterAll(() => rmSync(dir, { recursive: true }))

test.each([
  ['nowhere', 'it is not there, or it is a link to nothing'],
  ['.', 'it is a folder'],
  ['file/x', 'a part of its path is a file, not a folder'],
  ['circle', 'its links lead in a circle'],
  ['x'.repeat(300), 'its name is too long'],
])('%s', (name, words) => {
  writeFileSync(join(dir, 'file'), '')
  symlinkSync('circle', join(dir, 'circle'))
  let caught: unknown
  try {
    readFileSync(join(dir, name))
  } catch (error: unknown) {
    caught = error
  }
  rmSync(join(dir, 'circle'))
  expect(describeFileError(caught)).toBe(words)
})

test.each([
  [Object.assign(new Error('x'), { code: 'EACCES' }), 'permission denied: `ls -ld` shows who may use it'],
  [Object.assign(new Error('its own words'), { code: 'EWHATEVER' }), 'its own words'],
  [Object.assign(new Error('its own words'), { code: 'toString' }), 'its own words'],
  ['a text', 'a text'],
])('%s', (error, words) => expect(describeFileError(error)).toBe(words))
