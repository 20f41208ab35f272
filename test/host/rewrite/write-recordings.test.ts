import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OwnWrites } from '../../../src/host/guard/source-watch.ts'
import type { MadeRecording } from '../../../src/host/protocol/protocol.ts'
import { keepRecording, type KeptRecording, type Recordings } from '../../../src/host/rewrite/write-recordings.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const name = 'a.recording.md'
const head = '---\nrecording-of: a.test.md\nkeys: 2\n---\n'

/** What was recorded of a spec with one step, or of its second scenario. */
function made({ path, at }: TestFolder, said: string, more: Partial<MadeRecording> = {}): MadeRecording {
  const body = `\`\`\`console\n$ say ${said}\n${said}\n\`\`\``
  const step = { title: 'Say', key: 'a1b2c3d4', by: 'claude 2', on: '2026-11-22', body }
  const scenarios = [{ title: 'A', isStep: false, known: [step], steps: [step] }]
  return {
    specFile: at('a.test.md'),
    root: path,
    scenarios,
    recorded: [],
    refusals: [],
    isWhole: true,
    ...more,
  }
}

async function keep(
  one: MadeRecording,
  { mode = 'all' as ReturnType<Recordings['mode']>, own = new OwnWrites() } = {},
): Promise<KeptRecording> {
  const kept: KeptRecording[] = []
  keepRecording(one, { mode: () => mode, onKept: (each) => void kept.push(each) }, own)
  return kept[0] as KeptRecording // it tells of each
}

const read = (folder: TestFolder, file = name): string => readFileSync(folder.at(file), 'utf8')

describe('a recording', () => {
  test('is written beside its spec, known as our own, and told of', async () => {
    const folder = newFolder()
    const own = new OwnWrites()
    expect(await keep(made(folder, 'one'), { own })).toMatchObject({ isWritten: true, added: 1, before: '' })
    expect(own.isAsWritten(folder.at(name))).toBe(true)
    expect(await keep(made(folder, 'one'))).toMatchObject({ isWritten: false, added: 0, updated: 0 })
    expect(await keep(made(folder, 'two'))).toMatchObject({ isWritten: true, added: 0, updated: 1 })
    expect(read(folder)).toContain('$ say two')
  })

  test('is left alone where nothing or only what is missing may be written', async () => {
    const folder = newFolder()
    expect(await keep(made(folder, 'one'), { mode: 'none' })).toMatchObject({ isWritten: false, added: 1 })
    expect(readdirSync(folder.path)).toEqual([])
    await keep(made(folder, 'one'))
    expect(await keep(made(folder, 'two'), { mode: 'missing' })).toMatchObject({ isWritten: false, heldBack: ['A'] })
    expect(await keep(made(folder, 'two'), { mode: 'none' })).toMatchObject({ isWritten: false, updated: 1 })
    expect(read(folder)).toContain('$ say one')
  })

  test.each<[string, (folder: TestFolder) => void, string]>([
    ['a folder', ({ at }) => void mkdirSync(at(name)), 'cannot be read'],
    ['a link to nothing', ({ at }) => void symlinkSync('nowhere', at(name)), 'cannot be read'],
    ['a link out of the root', ({ at }) => void symlinkSync('/etc/hostname', at(name)), 'outside of the suite root'],
    ['a read-only file', ({ at }) => (writeFileSync(at(name), ''), chmodSync(at(name), 0o444)), 'read-only'],
    ['bytes that are no text', ({ at }) => void writeFileSync(at(name), Buffer.from(`${head}\xff`, 'latin1')), 'UTF-8'],
    ['what a merge left', ({ at }) => void writeFileSync(at(name), `${head}<<<<<<< a\n=======\n>>>>>>> b\n`), 'merge'],
    [
      'the recording of another spec',
      ({ at }) => (writeFileSync(at('a.md'), '# A'), writeFileSync(at(name), '---\nrecording-of: a.md\n---\n')),
      'it is of `a.md`',
    ],
  ])('is not written over %s', async (_what, prepare, problem) => {
    const folder = newFolder()
    prepare(folder)
    const before = readdirSync(folder.path)
    const kept = await keep(made(folder, 'one', { isWhole: false }))
    expect(kept.isWritten).toBe(false)
    expect(kept.problem).toContain(problem)
    expect(readdirSync(folder.path)).toEqual(before)
  })

  test('replaces a damaged file where all of the spec was recorded', async () => {
    const folder = newFolder()
    await keep(made(folder, 'one'))
    writeFileSync(folder.at(name), read(folder).slice(0, -10))
    expect(await keep(made(folder, 'two', { isWhole: false }))).toMatchObject({ isWritten: false })
    expect(await keep(made(folder, 'two'), { mode: 'missing' })).toMatchObject({ isWritten: false })
    expect(await keep(made(folder, 'two'))).toMatchObject({ isWritten: true })
    expect(read(folder)).toContain('$ say two')
  })

  test.each([
    ['prose', '# Minutes\n\nWe talked about notes.\n', 'is no recording'],
    ['code', '# Minutes\n\n```sh\nnotes add milk\n```\n', 'is no recording'],
    ['another encoding', '\u0000#\u0000 \u0000A\u0000\n', 'is no recording'],
  ])('never replaces a file of the same name that is none: %s', async (_what, text, problem) => {
    const folder = newFolder()
    for (const mode of ['all', 'missing'] as const) {
      await folder.write({ [name]: text })
      expect((await keep(made(folder, 'one'), { mode })).problem).toContain(problem)
      expect(read(folder)).toBe(text)
    }
  })

  test('is not that of another spec beside it, be that a link that leads nowhere', async () => {
    const folder = await newFolder()
    const other = head.replace('a.test.md', 'a.md')
    writeFileSync(folder.at(name), other)
    symlinkSync('gone.md', folder.at('a.md'))
    expect(await keep(made(folder, 'milk'))).toMatchObject({
      isWritten: false,
      problem: 'it is of `a.md`, and two specs cannot share one recording. Rename one of them.',
    })
    expect(readFileSync(folder.at(name), 'utf8')).toBe(other)
    rmSync(folder.at('a.md'))
    expect(await keep(made(folder, 'milk'))).toMatchObject({ isWritten: true })
  })

  test('is never written where it could not be read again', async () => {
    const folder = newFolder()
    await keep(made(folder, 'one'))
    const before = read(folder)
    expect((await keep(made(folder, '<<<<<<< x\n=======\n>>>>>>> y'))).problem).toContain('could not be read again')
    expect(read(folder)).toBe(before)
  })

  test('stays a link inside of the root, and keeps mode, line ends and byte order mark', async () => {
    const folder = newFolder()
    await keep(made(folder, 'one'))
    await folder.write({ 'deep/real.md': `\uFEFF${read(folder).replaceAll('\n', '\r\n')}` })
    chmodSync(folder.at('deep/real.md'), 0o640)
    rmSync(folder.at(name))
    symlinkSync('deep/real.md', folder.at(name))
    expect((await keep(made(folder, 'two'))).isWritten).toBe(true)
    expect(lstatSync(folder.at(name)).isSymbolicLink()).toBe(true)
    expect(lstatSync(folder.at('deep/real.md')).mode & 0o777).toBe(0o640)
    expect(read(folder)).toMatch(/^\uFEFF---\r\n[^]*\$ say two\r\n/)
    expect(read(folder).replaceAll('\r\n', '')).not.toContain('\n')
  })
})
