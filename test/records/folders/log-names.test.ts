import { describe, expect, test } from 'vitest'
import { formatStem, isLog, newestFirst, stemNamedIn, stemOf } from '../../../src/records/folders/log-names.ts'

const stem = '2026-02-10T14-30-00Z'
const entry = (name: string, isFolder = false) => ({ name, isFile: () => !isFolder, isDirectory: () => isFolder })

describe('names of logs', () => {
  test.each([
    ['2026-02-10T14:30:00.999Z', 1, stem],
    ['2026-02-10T14:30:00Z', 2, `${stem}-2`],
    ['2026-02-10T14:30:00Z', 100, `${stem}-100`],
    ['2026-02-10T23:30:00-02:00', 1, '2026-02-11T01-30-00Z'],
  ])('of %s, run %i', (now, count, expected) => expect(formatStem(new Date(now), count)).toBe(expected))

  test.each([
    [`${stem}.log.md`, false, stem],
    [`${stem}-2.verdict.json`, false, `${stem}-2`],
    [`${stem}-12.journal.jsonl`, false, `${stem}-12`],
    [`${stem}.raw.log`, false, stem],
    [stem, true, stem],
    [`${stem}.log.md.0123abcd-0123-0123-0123-0123456789ab.tmp`, false, stem],
    [stem, false, undefined],
    [`${stem}.log.md`, true, undefined],
    [`${stem}-1.log.md`, false, undefined],
    [`${stem}-0.log.md`, false, undefined],
    [`${stem}-02.log.md`, false, undefined],
    [`${stem}.LOG.md`, false, undefined],
    [`${stem}.log.md.bak`, false, undefined],
    [`${stem}.notes.md`, false, undefined],
    [`a${stem}.log.md`, false, undefined],
    [`${stem}.log.md\n`, false, undefined],
    ['2026-02-10T14:30:00Z.log.md', false, undefined],
    ['notes.md', false, undefined],
    ['', false, undefined],
  ])('%j, a folder: %s, belongs to %s', (name, isFolder, expected) => {
    expect(stemOf(entry(name, isFolder))).toBe(expected)
  })

  test.each([
    [`${stem}-3.log.md`, `${stem}-3`],
    [`${stem}.whatever`, stem],
    ['whatever', undefined],
  ])('%j names %s', (name, expected) => expect(stemNamedIn(name)).toBe(expected))

  test('are in order of time, then as numbers, the newest first', () => {
    const names = [`${stem}-9.raw.log`, `${stem}.raw.log`, '2026-02-10T14-29-59Z-99.raw.log', `${stem}-10.raw.log`]
    const stems = names.flatMap((name) => stemOf(entry(name)) ?? [])
    expect(stems.toSorted(newestFirst)).toEqual([`${stem}-10`, `${stem}-9`, stem, '2026-02-10T14-29-59Z-99'])
  })

  test.each([
    ['/r/a.logs/x', true],
    ['C:\\r\\a.logs\\x', true],
    ['/r/a.logs', false],
    ['/r/a.logs2/x', false],
    ['/r/logs/x', false],
  ])('%j is inside of a folder of logs: %s', (path, expected) => expect(isLog(path)).toBe(expected))
})
