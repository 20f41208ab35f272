import { chmodSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Rewrite } from '../../../src/blocks/expected-output/rewrite-markdown.ts'
import { hashBytes } from '../../../src/host/guard/file-state.ts'
import { OwnWrites } from '../../../src/host/guard/source-watch.ts'
import type { FileRewrites, UpdateMode } from '../../../src/host/protocol/protocol.ts'
import { OutputRewriter } from '../../../src/host/rewrite/output-rewriter.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const text = ['# T', '', '```console', '$ a', 'old', '$ b', '```', ''].join('\n')

/** Other output of `a`. */
const first: Rewrite = { fenceLine: 3, line: 5, before: ['old'], after: ['new'] }
/** Output of `b`, where there was none. */
const second: Rewrite = { fenceLine: 3, line: 7, before: [], after: ['more'] }

interface Scene {
  readonly folder: TestFolder
  readonly rewriter: OutputRewriter
  readonly ownWrites: OwnWrites
  readonly counts: readonly (readonly [string, number, number])[]
  /** Asks for rewrites of files as they were first, by name; gives messages. */
  ask(rewrites: Readonly<Record<string, readonly Rewrite[]>>, hash?: string): Promise<readonly string[]>
  read(name?: string): string
}

async function open({ mode = 'once' as UpdateMode, problem = '' } = {}): Promise<Scene> {
  const folder = newFolder()
  await folder.write({ 'a.test.md': text, 'b.md': text })
  const ownWrites = new OwnWrites()
  const counts: [string, number, number][] = []
  const rewriter = new OutputRewriter(
    {
      mode: () => mode,
      findProblem: async () => (problem === '' ? undefined : problem),
      onRewritten: (file, { added, updated }) => void counts.push([file.slice(folder.path.length + 1), added, updated]),
    },
    ownWrites,
  )
  return {
    folder,
    rewriter,
    ownWrites,
    counts,
    async ask(rewrites, hash = hashBytes(text)) {
      const files = Object.entries(rewrites).map(([name, all]): FileRewrites => ({
        file: folder.at(name),
        hash,
        rewrites: all,
      }))
      return (await rewriter.rewrite(folder.at('a.test.md'), files)).map(({ line, message }) => `${line}: ${message}`)
    },
    read: (name = 'a.test.md') => readFileSync(folder.at(name), 'utf8'),
  }
}

describe('expected output', () => {
  test('is rewritten in all files, counted, and known as our own', async () => {
    const { ask, read, counts, ownWrites, folder } = await open()
    expect(await ask({ 'a.test.md': [first, second], 'b.md': [second] })).toEqual([])
    expect(read()).toBe(text.replace('old', 'new').replace('$ b\n', '$ b\nmore\n'))
    expect(read('b.md')).toBe(text.replace('$ b\n', '$ b\nmore\n'))
    expect(counts).toEqual([
      ['a.test.md', 1, 1],
      ['b.md', 1, 0],
    ])
    expect(ownWrites.isAsWritten(folder.at('b.md'))).toBe(true)
    writeFileSync(folder.at('b.md'), 'another')
    expect(ownWrites.isAsWritten(folder.at('b.md'))).toBe(false)
  })

  test('keeps permissions, leaves no other file, and a link stays a link', async () => {
    const { ask, read, folder } = await open()
    chmodSync(folder.at('b.md'), 0o640)
    symlinkSync('b.md', folder.at('link.md'))
    expect(await ask({ 'link.md': [first] })).toEqual([])
    expect(read('b.md')).toContain('new')
    expect(lstatSync(folder.at('link.md')).isSymbolicLink()).toBe(true)
    expect(statSync(folder.at('b.md')).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder.path).toSorted()).toEqual(['a.test.md', 'b.md', 'link.md'])
  })

  test('of a second spec goes on from what was written for the first', async () => {
    const { ask, read, counts } = await open()
    await ask({ 'b.md': [first] })
    expect(await ask({ 'b.md': [first, second] })).toEqual([])
    expect(read('b.md')).toBe(text.replace('old', 'new').replace('$ b\n', '$ b\nmore\n'))
    expect(counts).toEqual([
      ['b.md', 0, 1],
      ['b.md', 1, 0],
    ])
  })

  test('is written once where two specs ask for the same at once', async () => {
    const { rewriter, folder, read, counts } = await open()
    const files = [{ file: folder.at('b.md'), hash: hashBytes(text), rewrites: [first] }]
    const answers = await Promise.all(['x', 'y', 'z'].map((spec) => rewriter.rewrite(folder.at(spec), files)))
    expect(answers).toEqual([[], [], []])
    expect(read('b.md')).toBe(text.replace('old', 'new'))
    expect(counts).toEqual([['b.md', 0, 1]])
  })
})

describe('nothing is rewritten', () => {
  test.each<[string, (folder: TestFolder) => void, Rewrite, string]>([
    ['in a file that changed', ({ at }) => writeFileSync(at('b.md'), `${text}x`), first, '5: the file has changed'],
    ['in a file that is gone', ({ at }) => rmSync(at('b.md')), first, '5: the file is not there any more'],
    ['in a read-only file', ({ at }) => chmodSync(at('b.md'), 0o444), first, '5: the file is read-only'],
    ['over a line of another text', () => {}, { ...first, before: ['<name>'] }, '5: line 5 holds a placeholder'],
  ])('%s, nor in any other file', async (_title, act, rewrite, message) => {
    const { ask, read, folder, counts } = await open()
    act(folder)
    expect(await ask({ 'a.test.md': [first], 'b.md': [rewrite] })).toEqual([expect.stringContaining(message)])
    expect(read()).toBe(text)
    expect(counts).toEqual([])
  })

  test('where the spec would have a problem then', async () => {
    const { ask, read } = await open({ problem: 'a fence is open' })
    expect(await ask({ 'a.test.md': [first] })).toEqual([
      '5: the spec would have a problem then (a fence is open). Write the lines by hand.',
    ])
    expect(read()).toBe(text)
  })

  test('where another spec has other output for the same lines', async () => {
    const { ask, read } = await open()
    await ask({ 'b.md': [first] })
    expect(await ask({ 'b.md': [{ ...first, after: ['other'] }] })).toEqual([
      expect.stringContaining('5: another spec that includes this file has other output there.'),
    ])
    expect(read('b.md')).toContain('new')
  })

  test('a second time in a row: the output is never the same', async () => {
    const { ask, rewriter } = await open({ mode: 'always' })
    await ask({ 'b.md': [first] })
    rewriter.beginRun()
    const now = hashBytes(text.replace('old', 'new'))
    const again = { ...first, before: ['new'], after: ['newer'] }
    expect(await ask({ 'b.md': [again] }, now)).toEqual([expect.stringContaining('5: it was rewritten a moment ago')])
    rewriter.beginRun()
    rewriter.beginRun()
    expect(await ask({ 'b.md': [again] }, now)).toEqual([])
  })

  test('goes on after a request that failed', async () => {
    const { ask, read, folder } = await open()
    await folder.write({ 'c.md': text })
    expect(await ask({ 'gone.md': [first] })).toHaveLength(1)
    expect(await ask({ 'c.md': [first] })).toEqual([])
    expect(read('c.md')).toContain('new')
  })
})
