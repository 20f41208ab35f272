import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Ground, groundAt } from '../../../src/system/files/trusted-folder.ts'
import { replaceFile, rewriteFile } from '../../../src/system/files/write-file.ts'

let folder: string
let ground: Ground
const at = (name: string): string => join(folder, name)
const read = (name: string): string => readFileSync(at(name), 'utf8')
const modeOf = (name: string): number => statSync(at(name)).mode & 0o7777

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-write-')))
  ground = groundAt(folder)
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test.each(['a', 'ü b', '-n', '*', 'line\nbreak', 'x'.repeat(255), 'ä'.repeat(127)])(
  'replaces and rewrites a file named %j, and leaves nothing beside it',
  (name) => {
    replaceFile(ground, at(name), 'one')
    replaceFile(ground, at(name), Buffer.from('two'))
    expect(read(name)).toBe('two')
    rewriteFile(at(name), 'three')
    expect(read(name)).toBe('three')
    expect(readdirSync(folder)).toEqual([name])
  },
)

test('leaves what was there, and nothing else, where writing fails half way', () => {
  writeFileSync(at('file'), 'old')
  // Refused once the temporary file is open.
  const content = 42 as unknown as string
  for (const hasOneWriter of [false, true]) {
    expect(() => replaceFile(ground, at('file'), { content, hasOneWriter })).toThrow('data')
  }
  expect(readdirSync(folder)).toEqual(['file'])
  expect(read('file')).toBe('old')
})

test('takes away what a crash of its one writer left, also where that was made a link', () => {
  writeFileSync(at('elsewhere'), 'safe')
  symlinkSync('elsewhere', at('file.tmp'))
  replaceFile(ground, at('file'), { content: 'new', isDurable: true, hasOneWriter: true })
  expect(readdirSync(folder)).toEqual(['elsewhere', 'file'])
  expect(['elsewhere', 'file'].map(read)).toEqual(['safe', 'new'])
})

test.each([0o600, 0o666, 0o444])('keeps mode %o of a file that it rewrites, whatever our mask is', (mode) => {
  writeFileSync(at('file'), 'old')
  chmodSync(at('file'), mode)
  rewriteFile(at('file'), 'new', { newMode: 0o777 })
  expect([read('file'), modeOf('file')]).toEqual(['new', mode])
})

test('gives a file that it makes the mode that is asked for', () => {
  rewriteFile(at('file'), 'new', { newMode: 0o777 })
  expect(modeOf('file')).toBe(0o777)
})

test.runIf(process.getuid?.() === 0)('keeps the owner of a file that root rewrites, and its rights', () => {
  writeFileSync(at('file'), 'old')
  chownSync(at('file'), 1234, 5678)
  chmodSync(at('file'), 0o6755)
  rewriteFile(at('file'), 'new')
  expect(statSync(at('file'))).toMatchObject({ uid: 1234, gid: 5678, mode: 0o106755 })
})

test('rewrites what a chain of links leads to: each stays a link', () => {
  mkdirSync(at('inner'))
  writeFileSync(at('inner/file'), 'old')
  symlinkSync('inner', at('folder'))
  symlinkSync('folder/file', at('one'))
  symlinkSync(at('one'), at('two'))
  rewriteFile(at('two'), 'new')
  expect(read('inner/file')).toBe('new')
  expect(['folder', 'one', 'two'].every((name) => lstatSync(at(name)).isSymbolicLink())).toBe(true)
  expect(readdirSync(at('inner'))).toEqual(['file'])
})

test('replaces a pipe that nobody reads, and no device', () => {
  execFileSync('mkfifo', [at('pipe')])
  replaceFile(ground, at('pipe'), 'new')
  expect(read('pipe')).toBe('new')
  expect(() => rewriteFile('/dev/null', '')).toThrow('is a device')
  expect(existsSync('/dev/null.tmp')).toBe(false)
})

test('a file is the old or the new one whenever its writer is killed, and what that left is in the way of nobody', () => {
  const fixture = fileURLToPath(new URL('../../../fixtures/bin/rewrite-until-call.mjs', import.meta.url))
  const module = new URL('../../../.cache/compiled/system/files/write-file.js', import.meta.url).href
  const found: string[] = []
  for (let count = 1; ; count += 1) {
    writeFileSync(at('file'), 'old')
    const { signal, stdout } = spawnSync(process.execPath, [fixture, module, at('file'), 'new', String(count)])
    found.push(read('file'))
    if (signal === null) {
      expect(stdout.toString()).toBe(String(count - 1))
      break
    }
    expect(signal).toBe('SIGKILL')
    rewriteFile(at('file'), 'next')
    expect(read('file')).toBe('next')
  }
  expect(found.length).toBeGreaterThan(4)
  expect(found.join(' ')).toMatch(/^(?:old )+(?:new )*new$/)
})
