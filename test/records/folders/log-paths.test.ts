import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { logFolder, reserveLogs } from '../../../src/records/folders/log-paths.ts'
import type { LogPaths, LogRequest } from '../../../src/records/folders/log-paths.ts'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import { registerName } from '../../../src/records/folders/prune-run-folders.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mdtest-logs-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const now = new Date('2026-02-10T14:30:00.789Z')
const stem = '2026-02-10T14-30-00Z'
const at = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

function reserve(more: Partial<LogRequest> = {}): Promise<LogPaths> {
  return reserveLogs({ specFile: join(root, 'shop/cart.test.md'), root, now, keep: 10, ...more })
}

describe('the folder', () => {
  test.for([
    ['/r/a/x.test.md', undefined, '/r/a/x.logs'],
    ['/r/a/x.test.md', 'logs', '/r/logs/a/x.logs'],
    ['/r/x.test.md', '/elsewhere', '/elsewhere/x.logs'],
    ['/other/x.test.md', 'logs', '/r/logs/__/other/x.logs'],
    ['/r/x.test.md.test.md', undefined, '/r/x.test.md.logs'],
    ['/r/notes.md', undefined, '/r/notes.logs'],
  ] as const)('of %s with dir %s is %s', ([specFile, dir, expected]) => {
    expect(logFolder({ specFile, root: '/r', ...(dir === undefined ? {} : { dir }) })).toBe(expected)
  })

  test('is made with a .gitignore of its own, which is kept when it is there', async () => {
    const { dir } = await reserve()
    expect(await readFile(join(dir, '.gitignore'), 'utf8')).toBe('*\n')
    await writeFile(join(dir, '.gitignore'), 'mine\n')
    await reserve()
    expect(await readFile(join(dir, '.gitignore'), 'utf8')).toBe('mine\n')
  })

  test('that cannot be made is an error that says what to do', async () => {
    await writeFile(join(root, 'shop'), 'a file')
    const error = await reserve().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MdtestError)
    expect(error).toMatchObject({ code: 'LOG_FOLDER_UNWRITABLE', hint: expect.stringContaining('logs.dir') })
  })
})

describe('a stem', () => {
  test('is the UTC time to the second, and only its journal exists', async () => {
    const paths = await reserve()
    const base = join(root, 'shop/cart.logs', stem)
    expect(paths).toEqual({
      ground: groundAt(join(root, 'shop')),
      dir: join(root, 'shop/cart.logs'),
      stem,
      log: `${base}.log.md`,
      verdict: `${base}.verdict.json`,
      journal: `${base}.journal.jsonl`,
      raw: `${base}.raw.log`,
      evidence: base,
    })
    expect((await readdir(paths.dir)).toSorted()).toEqual(['.gitignore', registerName, `${stem}.journal.jsonl`])
  })

  test('of which only an old log is left is taken', async () => {
    const { journal, log } = await reserve()
    await rm(journal)
    await writeFile(log, '---\nstatus: pass\n---\n')
    expect((await reserve()).stem).toBe(`${stem}-2`)
  })

  test('is given out once, however many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => reserve({ keep: 100 })))
    expect(new Set(all.map((paths) => paths.stem)).size).toBe(20)
  })

  test('is given out once between processes', async () => {
    const module = new URL('../../../.cache/compiled/records/folders/log-paths.js', import.meta.url).href
    const request = JSON.stringify({ specFile: join(root, 'a.test.md'), root, keep: 100 })
    const script = `import { reserveLogs } from ${JSON.stringify(module)}
      const now = new Date(${now.getTime()})
      for (let i = 0; i < 10; i += 1) console.log((await reserveLogs({ ...${request}, now })).stem)`
    const run = (): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    const outputs = await Promise.all([run(), run()])
    const stems = outputs.flatMap(({ stdout }) => stdout.trim().split('\n'))
    expect(new Set(stems).size).toBe(20)
  })
})

describe('pruning', () => {
  async function runs(count: number, more: Partial<LogRequest> = {}): Promise<LogPaths[]> {
    const all: LogPaths[] = []
    for (let index = 0; index < count; index += 1) {
      const paths = await reserve({ now: at(index), ...more })
      const files = [paths.log, paths.verdict, paths.raw].map((file) => writeFile(file, 'x'))
      await Promise.all([...files, mkdir(paths.evidence)])
      await writeFile(join(paths.evidence, 'shot.png'), 'x')
      all.push(paths)
    }
    return all
  }

  test('keeps all files of the newest stems and removes all files of older ones', async () => {
    const all = await runs(5, { keep: 2 })
    const kept = all.map(({ log, verdict, journal, raw, evidence }) =>
      [log, verdict, journal, raw, evidence].map((path) => existsSync(path)),
    )
    const [gone, there] = [Array(5).fill(false), Array(5).fill(true)]
    expect(kept).toEqual([gone, gone, gone, there, there])
  })

  test('never removes the current stem, even when the clock was set back', async () => {
    await runs(3)
    const { journal } = await reserve({ now: at(-1000), keep: 1 })
    expect(existsSync(journal)).toBe(true)
  })

  test('never removes stems of the same run', async () => {
    const all = await runs(4, { keep: 1, keepSince: at(1) })
    expect(all.map(({ log }) => existsSync(log))).toEqual([false, true, true, true])
  })

  test('removes what a writer that died left behind', async () => {
    const { dir, stem: old } = await reserve({ now: at(-60) })
    const left = ['log.md', 'verdict.json'].map((suffix) => `${old}.${suffix}.0d4f9d0e-3c1f-4a57-9f0e-6a1e6f1c2b3d.tmp`)
    for (const name of left) await writeFile(join(dir, name), 'half')
    await reserve({ now: at(60), keep: 1 })
    expect((await readdir(dir)).filter((name) => left.includes(name))).toEqual([])
  })

  test('leaves alone what mdtest did not make', async () => {
    const { dir } = await reserve({ now: at(-60) })
    const names = [
      'notes.md',
      `${stem}.txt`,
      `${stem}-1.log.md`,
      `x${stem}.log.md`,
      '2020.log.md',
      `${stem}-02.raw.log`,
    ]
    const others = ['2020-01-01T00-00-00Z.log.md.bak', '2020-01-01T00-00-00Z-x', 'logs']
    for (const name of [...names, ...others]) await writeFile(join(dir, name), 'mine')
    await mkdir(join(dir, '2020-01-01T00-00-00Z.raw.log'))
    await symlink(root, join(dir, '2020-01-01T00-00-00Z'))
    const before = await readdir(dir)
    const { stem: current } = await reserve({ now: at(60), keep: 1 })
    const after = await readdir(dir)
    const removed = before.filter((name) => !after.includes(name))
    expect(removed).toEqual(['2026-02-10T14-29-00Z.journal.jsonl'])
    expect(after).toContain(`${current}.journal.jsonl`)
  })

  test('by several at once never fails', async () => {
    await runs(12, { keep: 100 })
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => reserve({ now: at(100 + index), keep: 10 })))
    expect(all.every(({ journal }) => existsSync(journal))).toBe(true)
  })
})
