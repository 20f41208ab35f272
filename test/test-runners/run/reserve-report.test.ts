import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepository } from '../../support/mcp-session.ts'
import { reserveReport } from '../../../src/test-runners/run/run-tests.ts'

test('reserveReport names folders by time, keeps the newest and removes nothing else', async () => {
  await using repository = await createRepository({})
  const reserve = (seconds: number, keep = 20): string => {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
    const report = reserveReport({ root: repository.dir, now: () => now, keepReports: keep })
    writeFileSync(join(report.path, 'summary.json'), '{}')
    return report.dir
  }
  const parent = '.cache/mdtest/reports'
  expect(reserve(1)).toBe(`${parent}/2026-01-01T00-00-01Z`)
  expect(reserve(1)).toBe(`${parent}/2026-01-01T00-00-01Z-2`)
  expect(readFileSync(repository.path(`${parent}/.gitignore`), 'utf8')).toBe('*\n')
  mkdirSync(repository.path(`${parent}/2020-01-01T00-00-00Z`))
  mkdirSync(repository.path(`${parent}/2019-01-01T00-00-00Z`))
  writeFileSync(repository.path(`${parent}/2019-01-01T00-00-00Z/summary.json`), '{"version":1}')
  mkdirSync(repository.path(`${parent}/mine`))
  reserve(2, 2)
  expect(readdirSync(repository.path(parent))).toEqual([
    '.gitignore',
    '.mdtest-runs',
    // Nobody noted them.
    '2019-01-01T00-00-00Z',
    '2020-01-01T00-00-00Z',
    '2026-01-01T00-00-01Z-2',
    '2026-01-01T00-00-02Z',
    'mine',
  ])
})

test('reserveReport says that the folder cannot be made', async () => {
  await using repository = await createRepository({ file: '' })
  const asked = { root: repository.dir, now: () => new Date(), keepReports: 1 }
  expect(() => reserveReport(asked, 'file/reports')).toThrow(expect.objectContaining({ code: 'LOG_FOLDER_UNWRITABLE' }))
})

test.for(['', ' ', 'a\nb', 'a\0b'])('reserveReport refuses %j', async (dir) => {
  await using repository = await createRepository({})
  const asked = { root: repository.dir, now: () => new Date(), keepReports: 1 }
  expect(() => reserveReport(asked, dir)).toThrow(expect.objectContaining({ code: 'OPTION_PATH' }))
  expect(readdirSync(repository.dir)).toEqual(['.git'])
})
