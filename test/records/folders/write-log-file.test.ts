import { execFileSync } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeLogFile } from '../../../src/records/folders/log-file.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

let dir = ''
let file = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mdtest-write-'))
  file = join(dir, '2026-02-10T14-30-00Z.log.md')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const write = (path: string, text: string): void => writeLogFile(groundAt(dir), path, text)
const unwritable = expect.objectContaining({ code: 'LOG_UNWRITABLE' })

describe('a result log', () => {
  test('is written and replaced, and leaves nothing beside it', async () => {
    write(file, 'one')
    write(file, 'two')
    expect(await readFile(file, 'utf8')).toBe('two')
    expect(await readdir(dir)).toHaveLength(1)
  })

  test('is whole whenever it is read', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    write(file, texts[0] ?? '')
    let isWriting = true
    const writing = (async () => {
      for (let round = 0; round < 20; round += 1) {
        write(file, texts[round % 2] ?? '')
        await setImmediate()
      }
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
    write(file, 'new')
    expect(await readFile(target, 'utf8')).toBe('kept')
    expect((await lstat(file)).isFile()).toBe(true)
    await rm(file)
    execFileSync('mkfifo', [file])
    write(file, 'new')
    expect(await readFile(file, 'utf8')).toBe('new')
  })
})

describe('what cannot be written', () => {
  test('is an error that says so, and leaves nothing behind', async () => {
    await mkdir(file)
    expect(() => write(file, 'x')).toThrow(unwritable)
    expect(await readdir(dir)).toHaveLength(1)
    expect(() => write(join(dir, 'none', 'T.log.md'), 'x')).toThrow(unwritable)
  })
})
