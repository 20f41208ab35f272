import { execFileSync } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeLogFile } from '../../src/result-log/write-log-file.ts'

let dir = ''
let file = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mdtest-write-'))
  file = join(dir, '2026-02-10T14-30-00Z.log.md')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describe('a result log', () => {
  test('is written and replaced, and leaves nothing beside it', async () => {
    await writeLogFile(file, 'one')
    await writeLogFile(file, 'two')
    expect(await readFile(file, 'utf8')).toBe('two')
    expect(await readdir(dir)).toHaveLength(1)
  })

  test('is whole whenever it is read', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    await writeLogFile(file, texts[0] ?? '')
    let isWriting = true
    const writing = (async () => {
      for (let round = 0; round < 20; round += 1) await writeLogFile(file, texts[round % 2] ?? '')
      isWriting = false
    })()
    const seen = new Set<string>()
    while (isWriting) seen.add(await readFile(file, 'utf8'))
    await writing
    expect([...seen].filter((text) => !texts.includes(text))).toEqual([])
  })

  test('replaces a link and a pipe and follows neither', async () => {
    const target = join(dir, 'target.md')
    await writeFile(target, 'kept')
    await symlink(target, file)
    await writeLogFile(file, 'new')
    expect(await readFile(target, 'utf8')).toBe('kept')
    expect((await lstat(file)).isFile()).toBe(true)
    await rm(file)
    execFileSync('mkfifo', [file])
    await writeLogFile(file, 'new')
    expect(await readFile(file, 'utf8')).toBe('new')
  })
})

describe('what cannot be written', () => {
  test('is an error that says so, and leaves nothing behind', async () => {
    await mkdir(file)
    await expect(writeLogFile(file, 'x')).rejects.toMatchObject({ code: 'LOG_UNWRITABLE' })
    expect(await readdir(dir)).toHaveLength(1)
    await expect(writeLogFile(join(dir, 'none', 'T.log.md'), 'x')).rejects.toMatchObject({ code: 'LOG_UNWRITABLE' })
  })
})
