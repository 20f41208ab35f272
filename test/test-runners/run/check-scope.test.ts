import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkPath, checkScope } from '../../../src/test-runners/run/check-scope.ts'
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-scope-')))
const root = join(folder, 'repository')
mkdirSync(join(root, 'src'), { recursive: true })
mkdirSync(join(root, '.git'))
for (const file of ['src/a.test.ts', 'src/[id] $(x).test.ts', '-rf', '.git/hook', '../outside.test.ts']) {
  writeFileSync(join(root, file), '')
}
symlinkSync(folder, join(root, 'out'))
symlinkSync(join(folder, 'outside.test.ts'), join(root, 'link.test.ts'))
symlinkSync('src', join(root, 'inner'))
symlinkSync('.git', join(root, 'hidden'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('checkScope', () => {
  test.for([
    ['src/a.test.ts', 'src/a.test.ts'],
    ['./src//x/../a.test.ts', 'src/a.test.ts'],
    ['inner/a.test.ts', 'inner/a.test.ts'],
    ['src/[id] $(x).test.ts', 'src/[id] $(x).test.ts'],
  ])('takes the file %j', ([target = '', checked]) => {
    expect(checkScope({ scope: 'file', target }, root)).toEqual({ scope: 'file', target: checked })
  })

  test.for([
    ['../outside.test.ts', 'leads out of the repository'],
    ['src/../../outside.test.ts', 'leads out of the repository'],
    ['out/outside.test.ts', 'leads out of the repository through a link'],
    ['link.test.ts', 'leads out of the repository through a link'],
    [join(root, 'src/a.test.ts'), 'is not relative'],
    ['/etc/passwd', 'is not relative'],
    ['C:\\a.test.ts', 'is not relative'],
    ['c:a.test.ts', 'is not relative'],
    ['\\\\host\\share', 'is not relative'],
    ['~/a.test.ts', 'is not relative'],
    ['src\\a.test.ts', 'holds a backslash'],
    ['.git/hook', 'folder of git'],
    ['.GIT/hook', 'folder of git'],
    ['hidden/hook', 'folder of git'],
    ['-rf', 'begins with `-`'],
    ['./-rf', 'begins with `-`'],
    ['src/a.test.ts\0', 'control character'],
    ['src/a.test.ts\n--watch', 'control character'],
    ['\ud800', 'half a character'],
    ['', 'is empty'],
    [' ', 'is empty'],
    ['.', 'is not a file'],
    ['src', 'is not a file'],
    ['src/none.test.ts', 'does not exist'],
    ['src/a.test.ts/b', 'does not exist'],
    ['x'.repeat(1025), 'more than 1024'],
    ['x'.repeat(1000), 'does not exist'],
  ])('refuses the file %j: it %s', ([target = '', why = '']) => {
    expect(() => checkScope({ scope: 'file', target }, root)).toThrow(why)
  })

  test('takes a pattern as it is, and refuses one that could be an option', () => {
    const pattern = { scope: 'pattern', target: '../ $(adds|subtracts) two' } as const // the type of `scope`
    expect(checkScope(pattern, root)).toEqual(pattern)
    expect(() => checkScope({ ...pattern, target: ' --watch' }, root)).toThrow('begins with `-`')
    expect(() => checkScope({ ...pattern, target: 'a\0' }, root)).toThrow('control character')
  })
})

test('checkPath takes a folder that is not there yet, and none outside', () => {
  const check = (path: string): string => checkPath({ name: 'report_dir', path }, root)
  expect(check('new/reports/')).toBe('new/reports')
  expect(() => check('out/new')).toThrow('`report_dir` "out/new" leads out of the repository through a link.')
  expect(() => check('.git/x')).toThrow('such as `.cache/mdtest/reports`')
})
