import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { hostileName } from '../../support/hostile-name.ts'
import { isInProject, lineInStack, relativeFile } from '../../../src/test-runners/readers/file-and-line.ts'
import { describeUnplaced } from '../../../src/test-runners/run/test-run.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-place-')))
afterAll(() => rmSync(base, { recursive: true }))
const root = join(base, hostileName, 'packages/app')
const file = 'my tests/sum (1).test.js'
for (const name of [file, '..odd/a.test.js']) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), '')
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
