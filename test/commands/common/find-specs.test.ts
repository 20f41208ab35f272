import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  askedSpecs,
  discoverSpecs,
  formatPatterns,
  namedSpecs,
  wholeSpecs,
} from '../../../src/commands/common/find-specs.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'

let outer: string
let root: string
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-find-')))
  root = join(outer, 'suite')
  const files = [
    ...[
      ...['b.test.md', 'a.test.md', 'docs/größe.test.md', 'docs/a b.TEST.md', 'plain.md', 'z/_login.test.md'],
      'features/a.feature',
    ],
    ...[
      'node_modules/p/x.test.md',
      '.git/x.test.md',
      'a.test.md.logs/x.test.md',
      'reports/r.test.md',
      '../out.test.md',
    ],
  ]
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '# A\n')
  }
  mkdirSync(join(root, 'empty'))
  mkdirSync(join(root, 'folder.test.md'))
  symlinkSync('nowhere', join(root, 'gone.test.md'))
  symlinkSync('../out.test.md', join(root, 'link.test.md'))
  symlinkSync('docs', join(root, 'linked'))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
})

const names = (found: readonly { readonly file: string; readonly lines?: readonly number[] }[]): string[] =>
  found.map(({ file, lines = [] }) => [relative(root, file), ...lines].join(':'))

describe('all specs', () => {
  test('are files by their names, in a stable order, links to files and to nothing among them', async () => {
    expect(names(await discoverSpecs(root))).toEqual(
      expect.arrayContaining(['a.test.md', 'gone.test.md', 'link.test.md']),
    )
    const found = names(await discoverSpecs(root))
    expect(found).toEqual(found.toSorted((one, other) => (one < other ? -1 : 1)))
    expect(found.join()).not.toMatch(/node_modules|\.git\/|\.logs\/|linked|folder\.test|plain/)
    expect(found).toContain('docs/größe.test.md')
    expect(found).toContain('reports/r.test.md')
  })

  test('are those that a pattern of the suite root matches, also in a folder of it', async () => {
    expect(names(await discoverSpecs(join(root, 'docs'), ['docs/*.md'], { root }))).toEqual([
      'docs/a b.TEST.md',
      'docs/größe.test.md',
    ])
    expect(await discoverSpecs(join(root, 'empty'))).toEqual([])
  })
})

test('features are found like markdown, and one is named with its line', async () => {
  const include = ['**/*.feature']
  expect(names(await discoverSpecs(root, include))).toEqual(['features/a.feature'])
  const named = await namedSpecs(['features/a.feature:7'], { dir: root, cwd: root, include })
  expect(names(named)).toEqual(['features/a.feature:7'])
})

describe('named specs', () => {
  const find = async (...paths: string[]): Promise<string[]> => names(await namedSpecs(paths, { dir: root, cwd: root }))

  test.each([
    [['a.test.md'], ['a.test.md']],
    [['./docs/../a.test.md', 'a.test.md'], ['a.test.md']],
    [['a.test.md:3', 'a.test.md:12'], ['a.test.md:3:12']],
    [['a.test.md:3', 'a.test.md'], ['a.test.md']],
    [
      ['b.test.md:1', 'a.test.md:2'],
      ['b.test.md:1', 'a.test.md:2'],
    ],
    [['docs'], ['docs/größe.test.md']],
    [['docs/größe.test.md:7'], ['docs/größe.test.md:7']],
    [[], []],
  ])('%j are %j', async (paths, expected) => {
    expect(await find(...paths)).toEqual(expected)
  })

  test('are found from below the suite, too', async () => {
    const context = { dir: root, cwd: join(root, 'docs') }
    expect(names(await namedSpecs(['größe.test.md', 'b.test.md'], context))).toEqual([
      'docs/größe.test.md',
      'b.test.md',
    ])
  })

  test.each([
    ['a.tst.md', 'Did you mean `a.test.md`?'],
    ['plain.md', '`plain.md` is no spec: its path does not match'],
    ['plain.md', '--include plain.md'],
    ['../out.test.md', 'is outside the directory'],
    ['empty', 'no file in it matches `*.test.md`'],
    ['gone.test.md', 'is not a regular file'],
    ['', 'no file in it'],
  ])('%j is refused: %s', async (path, message) => {
    const found = path === '' ? namedSpecs([join(root, 'empty')], { dir: root, cwd: root }) : find(path)
    await expect(found).rejects.toThrow(message)
  })
})

test('a command about whole specs takes no lines, and all specs where it gets none', async () => {
  const input = { command: 'show', dir: root, cwd: root, include: ['*.test.md'] }
  await expect(wholeSpecs(['a.test.md:3'], input)).rejects.toThrow('`mdtest show` takes specs without a line.')
  expect(await wholeSpecs(['a.test.md'], input)).toEqual([join(root, 'a.test.md')])
  expect((await wholeSpecs([], input)).map((file) => relative(root, file))).toContain('b.test.md')
  expect(formatPatterns(['**/*.test.md', 'docs/*.md'])).toBe('`*.test.md` or `docs/*.md`')
})

test('a change is all its specs, and those that OpenSpec would not read are told', async () => {
  const put = (path: string, more = ''): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `## ADDED Requirements\n\n### Requirement: Add\n${more}`)
  }
  const context: Parameters<typeof askedSpecs>[1] = {
    options: resolveOptions({}),
    root,
    cwd: root,
    stderr: process.stderr,
  }
  const asked = { paths: [], agent: undefined, change: 'x' }
  put('openspec/changes/x/specs/cart/spec.md')
  put('openspec/changes/x/proposal.md')
  expect(names(await askedSpecs(asked, context))).toEqual(['openspec/changes/x/specs/cart/spec.md'])
  put('openspec/changes/x/design.md', '\n#### Scenario: One\n')
  await expect(askedSpecs(asked, context)).rejects.toThrow('asks for more in `openspec/changes/x/design.md`')
  rmSync(join(root, 'openspec/changes/x/design.md'))
  put('openspec/changes/x/specs/shop.md')
  await expect(askedSpecs(asked, context)).rejects.toThrow('asks for more in `openspec/changes/x/specs/shop.md`')
})
