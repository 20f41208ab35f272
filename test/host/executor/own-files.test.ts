import { copyFileSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OwnFiles } from '../../../src/host/executor/own-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-own-')))
afterAll(() => rmSync(folder, { recursive: true }))
const now = (): Date => new Date()
const at = (name: string): string => join(folder, name)

test('what the agent wrote is its own by name and by content, also what comes later', () => {
  const own = new OwnFiles({ cwd: folder, scratchDir: folder, writes: [], closed: [], now })
  writeFileSync(at('product.mjs'), 'print(1)')
  expect(own.has(at('product.mjs'))).toBe(false)
  // A command in the background has not written it yet.
  own.addFile(at('late.mjs'))
  expect(own.has(at('late.mjs'))).toBe(true)
  writeFileSync(at('late.mjs'), 'print(2)')
  copyFileSync(at('late.mjs'), at('copy.mjs'))
  expect(own.has(at('copy.mjs'))).toBe(true)
  writeFileSync(at('late.mjs'), 'print(3)')
  expect([own.has(at('copy.mjs')), own.has(at('product.mjs'))]).toEqual([true, false])
  renameSync(at('late.mjs'), at('moved.mjs'))
  symlinkSync(at('moved.mjs'), at('link.mjs'))
  expect([own.has(at('moved.mjs')), own.has(at('link.mjs')), own.has(at('nothing.mjs'))]).toEqual([true, true, false])
})

test('a file that was there before the agent saved its content stays the product', () => {
  const own = new OwnFiles({
    cwd: folder,
    scratchDir: at('scratch'),
    writes: [],
    closed: [],
    now: () => new Date(Date.now() + 60_000),
  })
  writeFileSync(at('built.mjs'), 'print(4)')
  own.addFile(at('saved.txt'))
  writeFileSync(at('saved.txt'), 'print(4)')
  expect([own.has(at('built.mjs')), own.has(at('saved.txt'))]).toEqual([false, true])
  const before = new OwnFiles({ cwd: folder, scratchDir: at('scratch'), writes: [], closed: [], now })
  before.addFile(at('saved.txt'))
  // What has that content since then may be a copy of it.
  copyFileSync(at('saved.txt'), at('built.mjs'))
  expect(before.has(at('built.mjs'))).toBe(true)
})
