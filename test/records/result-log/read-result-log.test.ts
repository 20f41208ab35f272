import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readResultLog } from '../../../src/records/result-log/read-result-log.ts'
import { maxLogBytes } from '../../../src/records/result-log/result-log.ts'

let dir: string
let file: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mdtest-log-'))
  file = join(dir, 'T.log.md')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const valid = '---\nstatus: pass\n---\nDone.\n'

describe('a regular file', () => {
  test('gives the log, its body and the time it was changed', async () => {
    await writeFile(file, valid)
    await utimes(file, 1_700_000_000, 1_700_000_000)
    expect(await readResultLog(file)).toEqual({
      ok: true,
      log: { status: 'pass' },
      body: 'Done.\n',
      modifiedAtMs: 1_700_000_000_000,
    })
  })

  test('of exactly the limit is read, of one byte more is too large', async () => {
    await writeFile(file, valid + 'x'.repeat(maxLogBytes - valid.length))
    expect((await readResultLog(file)).ok).toBe(true)
    await truncate(file, maxLogBytes + 1)
    expect(await readResultLog(file)).toMatchObject({ ok: false, code: 'LOG_TOO_LARGE' })
  })

  test('that is invalid names the file and what is wrong with it', async () => {
    await writeFile(file, '\uFEFF' + valid)
    const reading = await readResultLog(file)
    expect(reading).toMatchObject({ ok: false, code: 'LOG_NO_FRONT_MATTER' })
    expect(reading.ok ? '' : reading.message).toContain(file)
    expect(reading.ok ? '' : reading.message).toContain('byte order mark')
  })

  test.for([
    ['invalid UTF-8 in the front matter', Buffer.from('---\nstatus: pass\nrun: \xff\xfe\n---\n', 'latin1')],
    ['invalid UTF-8 in the body', Buffer.from('---\nstatus: pass\n---\n\xff', 'latin1')],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(valid, 'utf16le')])],
    ['a binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x80, 0x81, 0xfe])],
  ] as const)('of %s is unreadable', async ([, bytes]) => {
    await writeFile(file, bytes)
    expect(await readResultLog(file)).toMatchObject({ ok: false, code: 'LOG_UNREADABLE' })
  })

  test('that grows or is replaced while it is read never throws', async () => {
    const other = join(dir, 'other')
    const readings = Array.from({ length: 40 }, async (_, index) => {
      await writeFile(`${other}${index}`, valid)
      await rename(`${other}${index}`, file)
      return readResultLog(file)
    })
    expect((await Promise.all(readings)).every((reading) => reading.ok)).toBe(true)
  })
})

describe('what is not a regular file', () => {
  test('nothing at all is a missing log, also without its folder', async () => {
    expect(await readResultLog(file)).toMatchObject({ ok: false, code: 'LOG_MISSING' })
    expect(await readResultLog(join(dir, 'none', 'T.log.md'))).toMatchObject({ code: 'LOG_MISSING' })
  })

  test.for([
    ['a directory', () => mkdir(file), 'found a directory'],
    ['a named pipe without a writer', () => execFileSync('mkfifo', [file]), 'found a named pipe'],
    ['a link to itself', () => symlink(file, file), 'found a symbolic link'],
    ['a dangling link', () => symlink(join(dir, 'nowhere'), file), 'found a symbolic link'],
    ['a link to an endless device', () => symlink('/dev/zero', file), 'found a symbolic link'],
    ['a link to a valid log', () => linkToValidLog(), 'log of an older run'],
  ] as const)('%s is unreadable', async ([, make, found]) => {
    await make()
    const reading = await readResultLog(file)
    expect(reading).toMatchObject({ ok: false, code: 'LOG_UNREADABLE' })
    expect(reading.ok ? '' : reading.message).toContain(found)
  })

  test('a socket is unreadable', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(file, resolve))
    const reading = await readResultLog(file)
    await new Promise((resolve) => server.close(resolve))
    expect(reading).toMatchObject({ ok: false, code: 'LOG_UNREADABLE' })
  })

  test('a path through a file, a name too long and a NUL byte are unreadable', async () => {
    await writeFile(file, valid)
    for (const path of [join(file, 'T.log.md'), join(dir, 'x'.repeat(5000)), join(dir, 'a\0b')]) {
      expect(await readResultLog(path)).toMatchObject({ ok: false, code: 'LOG_UNREADABLE' })
    }
  })

  async function linkToValidLog(): Promise<void> {
    const older = join(dir, 'older.md')
    await writeFile(older, valid)
    await symlink(older, file)
  }
})
