import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { fileOfClass, openSourceFiles } from '../../../src/test-runners/source-files.ts'
import { fileOfRustTest } from '../../../src/test-runners/templates/cargo.ts'
import { hostileName } from '../../support/hostile-name.ts'
import { isInProject, lineInStack, relativeFile } from '../../../src/test-runners/readers/place.ts'
import { describeUnplaced } from '../../../src/test-runners/run/test-run.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-place-')))
afterAll(() => rmSync(base, { recursive: true }))
const root = join(base, hostileName, 'packages/app')
const file = 'my tests/sum (1).test.js'
const text: Readonly<Record<string, string>> = {
  [file]: '',
  '..odd/a.test.js': '',
  'src/sums.rs': '#[cfg(test)] mod tests { #[test] fn adds() {} }',
  'src/lib.rs': 'mod sums; pub fn adds() {}',
  'tests/all.rs': '#[test] fn works() {}',
  'tests/Other.cs': 'namespace A { class SumTests {} }',
}
for (const [name, content] of Object.entries(text)) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}
const linked = join(base, 'linked')
symlinkSync(root, linked)

describe('the file of a test is relative to the root', () => {
  test.for([
    ['a path', join(root, file)],
    ['a URL, whatever it encodes', pathToFileURL(join(root, file)).href],
    ['a path through a link', join(linked, file)],
    ['a relative path', file],
    ['a path relative to a folder above, as of a monorepo', `packages/app/${file}`],
  ] as const)('from %s', ([, told]) => {
    expect(relativeFile(told, root)).toBe(file)
  })

  test('from a root that is a link itself, and in a folder that begins with two dots', () => {
    expect(relativeFile(join(root, file), linked)).toBe(file)
    expect(relativeFile(join(root, '..odd/a.test.js'), root)).toBe('..odd/a.test.js')
  })

  test('and one that is not there, or outside, is none of the project', () => {
    for (const told of ['Project/repo/test/sum.test.js', join(base, 'sum.test.js'), '../x.js', '']) {
      expect([told, isInProject(relativeFile(told, root), root)]).toEqual([told, false])
    }
    expect(isInProject(file, root)).toBe(true)
    const failing = { name: 'adds', file: 'Project/repo/test/sum.test.js', message: '' }
    expect(describeUnplaced([failing], root)).toContain('`Project/repo/test/sum.test.js`')
    expect(describeUnplaced([{ ...failing, file }], root)).toBeUndefined()
  })
})

test.for([
  ['a function', (path: string) => `at adds (${path}:7:3)`],
  ['no function', (path: string) => `at ${path}:7:3`],
  ['a URL', (path: string) => `at async adds (${pathToFileURL(path).href}:7:3)`],
  ['a relative path', () => ` ❯ adds ${file}:7:3`],
] as const)('a stack has a line of the file in a frame of %s, and of no other file', ([, frame]) => {
  const stack = (path: string): string =>
    `Error: at ${root}/x.js:1:1 it broke\n    at x (${root}/x.js:2:2)\n    ${frame(path)}`
  expect(lineInStack(stack(join(root, file)), { root, file })).toBe(7)
  expect(lineInStack(stack(join(root, file)).replaceAll(/7:3/g, '7'), { root, file })).toBeUndefined()
})

test('a test of Rust is in the file of its innermost module, a class in the file that declares it', () => {
  const rust = openSourceFiles(root, /\.rs$/)
  expect(fileOfRustTest('sums::tests::adds', rust)).toBe('src/sums.rs')
  expect(fileOfRustTest('works', rust)).toBe('tests/all.rs')
  expect(fileOfRustTest('other::fails', rust)).toBeUndefined()
  expect(fileOfClass('A.SumTests', openSourceFiles(root, /\.cs$/))).toBe('tests/Other.cs')
})
