import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { copyKept, openKeptFiles, type KeptFiles } from '../../../src/report/folder/kept-files.ts'
import { clearReport, openReport } from '../../../src/report/folder/report-folder.ts'
import type { RunRecord } from '../../../src/report/records/run-record.ts'
import { keyOf, readRecords } from '../../../src/report/records/stored-records.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'
import { blockedRecord, reportedStep, richRecord, specRecord } from '../../support/report-records.ts'
import { groundAt } from '../../../src/system/files/ground.ts'

const createFolder = useFolders()
const png = '\u0089PNG\r\n\u001a\n…'
const run: RunRecord = {
  version: 1,
  id: '5f0c3b1e-0000-4000-8000-000000000001',
  startedAt: '2026-02-10T14:30:00.000Z',
  specs: 2,
  otherTests: { pass: 0, fail: 0, skipped: 0 },
  errors: [],
}

async function writeImage(folder: TestFolder, name: string): Promise<void> {
  await writeFile(folder.at(name), Buffer.from(png, 'latin1'))
}

function keptIn(folder: TestFolder): {
  keepImage(file: string): ReturnType<KeptFiles['keepImage']>
  keepLog(file: string): ReturnType<KeptFiles['keepLog']>
} {
  const ground = groundAt(folder.path)
  const kept = openKeptFiles({ dir: folder.at('out'), ground })
  return { keepImage: (file) => kept.keepImage({ file, ground }), keepLog: (file) => kept.keepLog({ file, ground }) }
}

describe('the folder of a report', () => {
  test('holds the page, and what is stored can be read again', async () => {
    const folder = createFolder()
    const report = await openReport({ dir: folder.at('out'), root: folder.path })
    await report.putSpec(richRecord('images/00.png'))
    await report.putSpec(blockedRecord)
    await report.putRun(run)
    await report.writeSummary()
    expect((await readdir(folder.at('out'))).toSorted()).toEqual([
      ...['.gitignore', 'coverage.html', 'coverage.js', 'data', 'index.html', 'report.css', 'report.js'],
      ...['sessions.html', 'sessions.js', 'specs', 'summary.js'],
    ])
    const read = await readRecords(folder.at('out'))
    expect(read.specs.map(({ spec }) => spec).toSorted()).toEqual(['shop/cart.test.md', 'till.test.md'])
    expect(read.specs).toContainEqual(blockedRecord)
    expect(read.runs).toEqual([run])
    expect(await readFile(folder.at('out', 'summary.js'), 'utf8')).toMatch(/^var mdtestSummary=\{/)
  })

  test('is cleared of what a report has there, and of nothing else', async () => {
    const folder = createFolder()
    const report = await openReport({ dir: folder.path, root: folder.at('..') })
    await report.putSpec(blockedRecord)
    await folder.write({ 'specs/mine.js': '', 'data/mine.json': '{}', 'logs/today.log': '', 'images/me.png': '' })
    const { kept } = report
    await writeImage(folder, 'shot')
    await folder.write({ 'a.raw.log': 'out' })
    kept.keepImage({ file: folder.at('shot'), ground: report.ground })
    kept.keepLog({ file: folder.at('a.raw.log'), ground: report.ground })
    // Names that look like ours.
    const foreign = ['images/0123456789abcdef.png', 'logs/0123456789abcdef-a.raw.log', 'specs/0123456789abcdef.js']
    for (const name of [...foreign, 'data/spec-0123456789abcdef.json']) await folder.write({ [name]: '{"version":1}' })
    clearReport({ dir: folder.path, root: folder.at('..') })
    const left = ['specs', 'data', 'logs', 'images'].map((name) => readdir(folder.at(name)))
    expect((await Promise.all(left)).flatMap((names) => names.toSorted())).toEqual([
      ...['0123456789abcdef.js', 'mine.js', 'mine.json', 'spec-0123456789abcdef.json', '0123456789abcdef-a.raw.log'],
      ...['today.log', '0123456789abcdef.png', 'me.png'],
    ])
  })

  test('is ignored by git where it is new, and never takes the place of something else', async () => {
    const folder = createFolder()
    await folder.write({ 'old/.gitignore': 'mine', 'page/index.html': '<h1>Mugs</h1>' })
    const root = folder.path
    for (const name of ['new', 'new', 'old']) await openReport({ dir: folder.at(name), root })
    expect(await readFile(folder.at('new/.gitignore'), 'utf8')).toBe('*\n')
    expect(await readFile(folder.at('old/.gitignore'), 'utf8')).toBe('mine')
    await expect(openReport({ dir: folder.at('page'), root })).rejects.toThrow('is no report, and would be replaced')
    expect(await readdir(folder.at('page'))).toEqual(['index.html'])
  })

  test('is never that of the project, which git would ignore then, and leaves rules that are there', async () => {
    const folder = createFolder()
    await folder.write({ '.gitignore': 'mine\n', 'out/.gitignore': 'mine\n' })
    for (const dir of [folder.path, folder.at('..')]) {
      await expect(openReport({ dir, root: folder.path })).rejects.toThrow('needs a folder of its own')
    }
    await openReport({ dir: folder.at('out'), root: folder.path })
    expect(await readFile(folder.at('.gitignore'), 'utf8')).toBe('mine\n')
    expect(await readFile(folder.at('out/.gitignore'), 'utf8')).toBe('mine\n')
  })

  test('is not led out of itself by a record', async () => {
    const folder = createFolder()
    const bad = richRecord('images/../../secret.png')
    await folder.write({
      [`data/spec-${keyOf(bad)}.json`]: JSON.stringify(bad),
      'data/spec-1.json': '{',
      'data/run-1.json': JSON.stringify({ ...run, version: 2 }),
      'data/other.txt': '',
    })
    const read = await readRecords(folder.path)
    expect([read.specs, read.runs]).toEqual([[], []])
    expect(read.unreadable).toEqual(['run-1.json', 'spec-1.json', `spec-${keyOf(bad)}.json`].toSorted())
  })
})

describe('files of a run', () => {
  test('are copied under names that nobody chooses', async () => {
    const folder = createFolder()
    await writeImage(folder, `it's "a" <b>.png`)
    await folder.write({ 'a.raw.log': 'out', 'empty.cast': '', 'evil.png': '<svg onload=alert(1)>' })
    const kept = keptIn(folder)
    const image = kept.keepImage(folder.at(`it's "a" <b>.png`))
    expect(image).toMatch(/^images\/[\da-f]{16}\.png$/)
    await access(folder.at('out', image ?? ''))
    expect(kept.keepImage(folder.at('evil.png'))).toBeUndefined()
    expect(kept.keepLog(folder.at('a.raw.log'))).toEqual({
      bytes: 3,
      path: expect.stringMatching(/^logs\/[\da-f]{16}-a\.raw\.log$/),
    })
    expect(kept.keepLog(folder.at('empty.cast'))).toBeUndefined()
    expect(kept.keepLog(folder.at('missing.cast'))).toBeUndefined()
  })

  test('are not followed: a link may lead to a secret', async () => {
    const folder = createFolder()
    await writeImage(folder, 'secret.png')
    await symlink(folder.at('secret.png'), folder.at('shot.png'))
    await symlink(folder.at('secret.png'), folder.at('a.raw.log'))
    await mkdir(folder.at('b.raw.log'))
    const kept = keptIn(folder)
    expect(kept.keepImage(folder.at('shot.png'))).toBeUndefined()
    expect(kept.keepLog(folder.at('a.raw.log'))).toBeUndefined()
    expect(kept.keepLog(folder.at('b.raw.log'))).toBeUndefined()
  })

  test('go along when reports are merged', async () => {
    const folder = createFolder()
    await folder.write({ 'one/images/00.png': 'image', 'one/logs/0000000000000000-run.raw.log': 'log' })
    await folder.write({ 'one/logs/0000000000000000-1-add.console.txt': 'said' })
    copyKept(richRecord('images/00.png'), {
      from: folder.at('one'),
      to: folder.at('two'),
      ground: groundAt(folder.path),
    })
    const said = { title: '1-add.console.txt', bytes: 4, path: 'logs/0000000000000000-1-add.console.txt' }
    const step = reportedStep({ files: [said] })
    copyKept(specRecord({ steps: [step] }), {
      from: folder.at('one'),
      to: folder.at('two'),
      ground: groundAt(folder.path),
    })
    expect(await readFile(folder.at('two', said.path), 'utf8')).toBe('said')
    expect(await readFile(folder.at('two/images/00.png'), 'utf8')).toBe('image')
    expect(await readFile(folder.at('two/logs/0000000000000000-run.raw.log'), 'utf8')).toBe('log')
    copyKept(specRecord(), { from: folder.at('one'), to: folder.at('two'), ground: groundAt(folder.path) })
  })
})
