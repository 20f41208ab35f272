import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openKeptFiles, type KeptFiles } from '../../../src/report/folder/kept-files.ts'
import { clearReport, openReport } from '../../../src/report/folder/report-folder.ts'
import type { RunRecord } from '../../../src/report/data/run-record.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'
import { blockedRecord, richRecord } from '../../support/report-records.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

const createFolder = useFolders()
const png = '\u0089PNG\r\n\u001a\n…'
const run: RunRecord = {
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
  test('holds the page, a summary, and a script for each spec', async () => {
    const folder = createFolder()
    const report = openReport({ dir: folder.at('out'), root: folder.path })
    report.putSpec(richRecord('images/00.png'))
    report.putSpec(blockedRecord)
    report.writeSummary(run)
    expect((await readdir(folder.at('out'))).toSorted()).toEqual([
      ...['.gitignore', 'coverage.html', 'coverage.js', 'index.html', 'report.css', 'report.js'],
      ...['specs', 'summary.js'],
    ])
    expect(await readdir(folder.at('out/specs'))).toHaveLength(2)
    expect(await readFile(folder.at('out', 'summary.js'), 'utf8')).toMatch(/^var mdtestSummary=\{/)
  })

  test('is cleared of what a report has there, and of nothing else', async () => {
    const folder = createFolder()
    const report = openReport({ dir: folder.path, root: folder.at('..') })
    report.putSpec(blockedRecord)
    await folder.write({ 'specs/mine.js': '', 'logs/today.log': '', 'images/me.png': '' })
    const { kept } = report
    await writeImage(folder, 'shot')
    await folder.write({ 'a.raw.log': 'out' })
    kept.keepImage({ file: folder.at('shot'), ground: groundAt(folder.path) })
    kept.keepLog({ file: folder.at('a.raw.log'), ground: groundAt(folder.path) })
    // Names that look like ours.
    const foreign = ['images/0123456789abcdef.png', 'logs/0123456789abcdef-a.raw.log', 'specs/0123456789abcdef.js']
    for (const name of foreign) await folder.write({ [name]: '{"version":1}' })
    clearReport({ dir: folder.path, root: folder.at('..') })
    const left = ['specs', 'logs', 'images'].map((name) => readdir(folder.at(name)))
    expect((await Promise.all(left)).flatMap((names) => names.toSorted())).toEqual([
      ...['0123456789abcdef.js', 'mine.js', '0123456789abcdef-a.raw.log'],
      ...['today.log', '0123456789abcdef.png', 'me.png'],
    ])
  })

  test('is ignored by git where it is new, and never takes the place of something else', async () => {
    const folder = createFolder()
    await folder.write({ 'old/.gitignore': 'mine', 'page/index.html': '<h1>Mugs</h1>' })
    const root = folder.path
    for (const name of ['new', 'new', 'old']) openReport({ dir: folder.at(name), root })
    expect(await readFile(folder.at('new/.gitignore'), 'utf8')).toBe('*\n')
    expect(await readFile(folder.at('old/.gitignore'), 'utf8')).toBe('mine')
    expect(() => openReport({ dir: folder.at('page'), root })).toThrow('is no report, and would be replaced')
    expect(await readdir(folder.at('page'))).toEqual(['index.html'])
  })

  test('is never that of the project, which git would ignore then, and leaves rules that are there', async () => {
    const folder = createFolder()
    await folder.write({ '.gitignore': 'mine\n', 'out/.gitignore': 'mine\n' })
    for (const dir of [folder.path, folder.at('..')]) {
      expect(() => openReport({ dir, root: folder.path })).toThrow('needs a folder of its own')
    }
    openReport({ dir: folder.at('out'), root: folder.path })
    expect(await readFile(folder.at('.gitignore'), 'utf8')).toBe('mine\n')
    expect(await readFile(folder.at('out/.gitignore'), 'utf8')).toBe('mine\n')
  })
})

describe('files of a run', () => {
  test('are copied under names that nobody chooses', async () => {
    const folder = createFolder()
    await writeImage(folder, `it's "a" <b>.png`)
    await folder.write({ 'a.raw.log': 'out', 'empty.raw.log': '', 'evil.png': '<svg onload=alert(1)>' })
    const kept = keptIn(folder)
    const image = kept.keepImage(folder.at(`it's "a" <b>.png`))
    expect(image).toMatch(/^images\/[\da-f]{16}\.png$/)
    await access(folder.at('out', image ?? ''))
    expect(kept.keepImage(folder.at('evil.png'))).toBeUndefined()
    expect(kept.keepLog(folder.at('a.raw.log'))).toEqual({
      bytes: 3,
      path: expect.stringMatching(/^logs\/[\da-f]{16}-a\.raw\.log$/),
    })
    expect(kept.keepLog(folder.at('empty.raw.log'))).toBeUndefined()
    expect(kept.keepLog(folder.at('missing.raw.log'))).toBeUndefined()
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
})
