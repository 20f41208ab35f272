import { copyFileSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OwnFiles } from '../../../src/host/hands/own-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-own-')))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

test('what the agent wrote is its own by name and by content, also what comes later', () => {
  const own = new OwnFiles({ cwd: folder, scratchDir: folder, writes: [], closed: [] })
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
