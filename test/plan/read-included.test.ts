import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readIncludedIn } from '../../src/plan/read-spec.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-included-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, 'root')
mkdirSync(join(root, 'sub'), { recursive: true })
writeFileSync(join(root, 'a b.md'), 'text')
writeFileSync(join(folder, 'outside.md'), 'secret')
symlinkSync('../outside.md', join(root, 'out.md'))
symlinkSync('a b.md', join(root, 'in.md'))
symlinkSync('loop.md', join(root, 'loop.md'))
writeFileSync(join(root, 'large.md'), '')
truncateSync(join(root, 'large.md'), 4 * 1024 * 1024 + 1)
symlinkSync(root, join(folder, 'linked'))

test.each(['a b.md', 'in.md', 'sub/../a b.md'])('reads %s', (name) => {
  expect(String(readIncludedIn(root)(join(root, name)))).toBe('text')
})

test('reads where the root itself is a link', () => {
  expect(String(readIncludedIn(join(folder, 'linked'))(join(folder, 'linked/in.md')))).toBe('text')
})

test.each([
  ['../outside.md', 'outside of the suite root'],
  ['out.md', 'outside of the suite root'],
  ['none.md', 'no such file'],
  ['a b.md/c.md', 'Make it readable'],
  ['sub', 'not a regular file'],
  ['loop.md', 'Make it readable'],
  ['large.md', 'larger than 1 MiB'],
])('says why %s is not read', (name, why) => {
  expect(readIncludedIn(root)(join(root, name))).toMatchObject({ problem: expect.stringContaining(why) })
})
