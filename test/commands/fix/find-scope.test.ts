import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findScope } from '../../../src/commands/fix/fix.ts'

test('a scope is there, inside, and relative to the root', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-scope-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'project')
  const cwd = join(root, 'packages/a')
  mkdirSync(join(cwd, 'tests of a'), { recursive: true })
  writeFileSync(join(root, 'sum.test.ts'), '')
  mkdirSync(join(base, 'other'))
  const find = (scope: string): Promise<string> => findScope(scope, { root, cwd })
  expect(await find('./sum.test.ts')).toBe('sum.test.ts')
  expect(await find('tests of a/')).toBe('packages/a/tests of a')
  expect(await find(cwd)).toBe('packages/a')
  expect(await find('.')).toBe('.')
  await expect(find('tests/typo')).rejects.toThrow('There is no file or folder `tests/typo` that `--scope` names')
  await expect(find('../other')).rejects.toThrow(`Outside of \`${root}\` is the file or folder \`../other\``)
  await expect(find('')).rejects.toThrow('`--scope` takes a file or folder')
})
