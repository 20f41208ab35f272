import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readVerdict, writeVerdict } from '../../../src/records/verdict/verdict-record.ts'
import type { VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

let dir = ''
let file = ''
let place: Parameters<typeof writeVerdict>[0]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mdtest-verdict-'))
  file = join(dir, 'logs/T.verdict.json')
  place = { ground: groundAt(dir), verdict: file }
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const record: VerdictRecord = {
  version: 1,
  spec: 'shop.test.md',
  scenario: 'Shop',
  attempt: 1,
  run: '7f',
  agent: 'claude',
  startedAt: '2026-02-10T14:30:00.000Z',
  outcome: 'fail',
  steps: [
    {
      id: '1-a',
      title: 'A',
      line: 3,
      outcome: 'pass',
      assurance: 'verified',
      executor: { sandbox: 'none', why: 'it is off' },
      reasons: [],
      durationMs: 12,
    },
    {
      id: '2-b',
      title: 'B',
      line: 9,
      outcome: 'fail',
      reasons: [{ code: 'VERIFY_FAILED', message: 'no\n- 1', line: 11 }],
      durationMs: 0,
    },
  ],
  usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5, turns: 3, model: 'm', durationMs: 4 },
}

describe('a verdict', () => {
  test('is read as it was written, also where its folder is gone', async () => {
    writeVerdict(place, record)
    expect(await readVerdict(file)).toEqual({ ok: true, record })
    expect(await readdir(join(dir, 'logs'))).toEqual(['T.verdict.json'])
  })

  test.for([
    ['a file', () => writeFile(file, '{}')],
    ['a folder with something in it', () => mkdir(join(file, 'sub'), { recursive: true })],
    ['a link', () => symlink(join(dir, 'kept'), file)],
  ] as const)('replaces %s', async ([, put]) => {
    await writeFile(join(dir, 'kept'), 'kept')
    await mkdir(join(dir, 'logs'))
    await put()
    writeVerdict(place, record)
    expect(await readVerdict(file)).toMatchObject({ ok: true })
    expect(await readVerdict(join(dir, 'kept'))).toMatchObject({ ok: false })
  })

  test('that cannot be written is an error', async () => {
    await writeFile(join(dir, 'logs'), 'a file')
    expect(() => writeVerdict(place, record)).toThrow(expect.objectContaining({ code: 'LOG_UNWRITABLE' }))
  })
})

test.for<readonly [title: string, text: string]>([
  ['no JSON', '{"version":'],
  ['of another version', JSON.stringify({ ...record, version: 2 })],
  ['with an outcome that there is not', JSON.stringify({ ...record, outcome: 'passed' })],
])('a verdict that is %s is not believed', async ([, text]) => {
  await writeFile(join(dir, 'v'), text)
  expect(await readVerdict(join(dir, 'v'))).toEqual({ ok: false, message: expect.stringContaining('not of the form') })
})

test('reading a verdict never throws', async () => {
  await symlink(join(dir, 'link'), join(dir, 'link'))
  const readings = await Promise.all(['none', 'link', '.'].map((name) => readVerdict(join(dir, name))))
  expect(readings.map((reading) => (reading.ok ? '' : reading.message))).toEqual([
    'There is no verdict: the run did not come to its end.',
    'The verdict is a symbolic link, not a regular file.',
    'The verdict is a directory, not a regular file.',
  ])
})
