import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatJournalEntry } from '../../../src/records/journal/journal.ts'
import { listEvidence, newestLogs, readJournal } from '../../../src/records/folders/read-run.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mdtest-logs-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const put = (name: string, text = ''): Promise<void> => writeFile(join(dir, name), text)

describe('the newest run', () => {
  test('is the last of the last second, whatever of it is there', async () => {
    await put('2026-02-10T14-30-00Z.log.md')
    await put('2026-02-10T14-30-01Z.log.md')
    await put('2026-02-10T14-30-01Z-2.log.md')
    await put('2026-02-10T14-30-01Z-10.journal.jsonl')
    await put('2027-01-01T00-00-00Z.notes.txt')
    expect(newestLogs(dir)).toMatchObject({
      stem: '2026-02-10T14-30-01Z-10',
      log: join(dir, '2026-02-10T14-30-01Z-10.log.md'),
    })
  })

  test('is none in a folder without one, a file and nothing at all', async () => {
    await put('file')
    expect(newestLogs(dir)).toBeUndefined()
    expect(newestLogs(join(dir, 'file'))).toBeUndefined()
    expect(newestLogs(join(dir, 'nowhere'))).toBeUndefined()
  })
})

test('evidence is listed with its folders, and links are not followed', async () => {
  await mkdir(join(dir, 'sub'))
  await put('b.png', '12345')
  await put('sub/a.txt', '1')
  await symlink('/', join(dir, 'root'))
  expect(listEvidence(dir).files).toEqual([
    { name: 'b.png', bytes: 5 },
    { name: 'root' },
    { name: 'sub/a.txt', bytes: 1 },
  ])
  expect(listEvidence(join(dir, 'nowhere'))).toEqual({ files: [] })
})

describe('reading a journal', () => {
  const entry = {
    id: '1',
    at: '2026-02-10T14:30:00.000Z',
    step: null,
    kind: 'command',
    title: 'ls',
    excerpt: 'a',
    activity: true,
  } as const

  test('gives its entries and counts the rest', async () => {
    await put('j', `${formatJournalEntry(entry)}{"id":\n\u0000\n`)
    expect(readJournal(join(dir, 'j'))).toEqual({
      entries: [entry],
      notes: ['2 lines of the journal cannot be read.'],
    })
  })

  test('never throws and never waits', async () => {
    await mkdir(join(dir, 'folder'))
    await symlink(join(dir, 'link'), join(dir, 'link'))
    execFileSync('mkfifo', [join(dir, 'fifo')])
    const messages = ['none', 'folder', 'link', 'fifo'].flatMap((name) => readJournal(join(dir, name)).notes)
    expect(messages).toEqual([
      'There is no journal.',
      'The journal is a directory, not a regular file.',
      'The journal is a symbolic link, not a regular file.',
      'The journal is a named pipe, not a regular file.',
    ])
  })
})
