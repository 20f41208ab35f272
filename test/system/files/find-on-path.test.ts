import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOnPath } from '../../../src/system/files/paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'mdtest-path-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

beforeAll(() => {
  for (const name of ['one', 'two', 'cwd', 'one/tool', 'a b']) mkdirSync(at(name))
  for (const name of ['two/tool', 'two/text', 'cwd/tool', 'a b/tool ü']) writeFileSync(at(name), '')
  for (const name of ['two/tool', 'cwd/tool', 'a b/tool ü']) chmodSync(at(name), 0o755)
  symlinkSync('tool', at('two/link'))
  symlinkSync('nowhere', at('two/broken'))
})

test.each<[string, string, string | undefined]>([
  // A folder of its name is no program.
  ['tool', '<one>:<two>', 'two/tool'],
  ['tool', '<cwd>:<two>', 'cwd/tool'],
  ['tool', '', 'cwd/tool'],
  ['tool', '<one>:', 'cwd/tool'],
  ['tool', ':<two>', 'cwd/tool'],
  ['tool', '../two', 'two/tool'],
  ['tool', '<none>:/dev/null:<two>', 'two/tool'],
  ['tool ü', '<a b>', 'a b/tool ü'],
  ['./tool', '<two>', 'cwd/tool'],
  ['../two/tool', '', 'two/tool'],
  ['<two>/tool', '', 'two/tool'],
  ['link', '<two>', 'two/link'],
  ['text', '<two>', undefined],
  ['broken', '<two>', undefined],
  ['tool', '<one>', undefined],
  ['', '<two>', undefined],
  ['.', '<two>', undefined],
  ['tool/', '<two>', undefined],
  ['no\0ne', '<two>', undefined],
])('%j on PATH %j is %s', (bin, path, found) => {
  const full = (text: string): string => text.replaceAll(/<(.*?)>/g, (_all, name: string) => at(name))
  const expected = found === undefined ? undefined : at(found)
  expect(findOnPath(full(bin), { path: full(path), cwd: at('cwd') })).toBe(expected)
})
