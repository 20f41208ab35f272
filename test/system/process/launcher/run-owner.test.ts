import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { isAbandoned, noteOwner } from '../../../../src/system/process/launcher/run-folder.ts'

let folder: string
let file: string
let own: Readonly<Record<string, unknown>>
const gone = spawnSync('true').pid

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mdtest-owner-'))
  file = join(folder, 'owner.json')
  noteOwner(folder)
  own = JSON.parse(readFileSync(file, 'utf8')) as typeof own
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test.each<[string, object, boolean]>([
  ['this process', {}, false],
  ['a process that is gone', { pid: gone }, true],
  ['a process of another machine that is gone', { pid: gone, place: 'elsewhere' }, false],
  ['a process of no machine', { pid: gone, place: undefined }, false],
  ['a process without a number', { pid: String(gone) }, false],
  ['half a process', { pid: 1.5 }, false],
])('a folder of %s', (_what, changed, isOne) => {
  writeFileSync(file, JSON.stringify({ ...own, ...changed }))
  expect(isAbandoned(folder)).toBe(isOne)
})

test.runIf(process.platform === 'linux')('a folder of an earlier process with the id of a later one', () => {
  writeFileSync(file, JSON.stringify({ ...own, startTime: '1' }))
  expect(isAbandoned(folder)).toBe(true)
})

test.each(['', '{', 'null', '[]', `{"pid":${gone}}${' '.repeat(5000)}`])('a folder with the note %j', (note) => {
  writeFileSync(file, note)
  expect(isAbandoned(folder)).toBe(false)
})

test('a folder whose note is a link, or is not there', () => {
  const note = `${folder}.json`
  onTestFinished(() => rmSync(note, { force: true }))
  writeFileSync(file, JSON.stringify({ ...own, pid: gone }))
  renameSync(file, note)
  expect(isAbandoned(folder)).toBe(false)
  symlinkSync(note, file)
  expect(isAbandoned(folder)).toBe(false)
})

test('the first owner stays', () => {
  writeFileSync(file, JSON.stringify({ ...own, pid: gone }))
  noteOwner(folder)
  expect(isAbandoned(folder)).toBe(true)
})
