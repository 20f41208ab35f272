import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  makeRunFolder,
  pruneRunFolders,
  registeredRuns,
  registerName,
  registerRun,
  shortenRegister,
} from '../../../src/records/folders/prune-run-folders.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

let parent: string
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'mdtest-runs-'))))
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const now = new Date('2026-02-10T14:30:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
const stem = '2026-02-10T14-30-00Z'
const place = () => ({ parent, ground: groundAt(parent), keep: 10 })
const folders = (): readonly string[] => readdirSync(parent).filter((name) => name !== registerName)

test('runs of one second have folders of their own, and no name is taken twice', () => {
  mkdirSync(join(parent, `${stem}-2`))
  expect([makeRunFolder(place(), now), makeRunFolder(place(), now)]).toEqual([stem, `${stem}-3`])
  expect([...registeredRuns(groundAt(parent), parent)]).toEqual(expect.arrayContaining([stem, `${stem}-3`]))
})

test('the newest stay, and whatever is not ours', () => {
  const own = [0, 1, 2, 3].map((seconds) => makeRunFolder(place(), later(seconds)))
  mkdirSync(join(parent, '2020-01-01T00-00-00Z'))
  writeFileSync(join(parent, 'notes.txt'), '')
  pruneRunFolders({ ...place(), current: own[3]!, keep: 2 })
  expect(folders()).toEqual(['2020-01-01T00-00-00Z', own[2], own[3], 'notes.txt'])
})

test('without its register nothing is ours', () => {
  const own = [0, 1].map((seconds) => makeRunFolder(place(), later(seconds)))
  rmSync(join(parent, registerName))
  pruneRunFolders({ ...place(), current: own[1]!, keep: 1 })
  expect(folders()).toEqual(own)
})

test.each(['a link', 'the name of a file of somebody'])(
  'a register that is %s names nothing and is not written to',
  (what) => {
    const other = join(parent, 'other.txt')
    writeFileSync(other, `${stem}\n`)
    if (what === 'a link') symlinkSync(other, join(parent, registerName))
    else linkSync(other, join(parent, registerName))
    expect(registeredRuns(groundAt(parent), parent).has(stem)).toBe(false)
    registerRun(groundAt(parent), parent, 'new')
    expect(readFileSync(other, 'utf8')).toBe(`${stem}\n`)
    expect(registeredRuns(groundAt(parent), parent).has('new')).toBe(true)
  },
)

test('a long register forgets what is gone', () => {
  const names = Array.from({ length: 1000 }, (_, n) => `r${n}`)
  for (const name of names.slice(0, 3)) registerRun(groundAt(parent), parent, name)
  shortenRegister(groundAt(parent), parent, { registered: new Set(names.slice(0, 999)), names: new Set(['r1']) })
  expect(registeredRuns(groundAt(parent), parent).has('r0')).toBe(true)
  shortenRegister(groundAt(parent), parent, { registered: new Set(names), names: new Set(['r1']) })
  expect(existsSync(join(parent, registerName))).toBe(true)
  expect([...registeredRuns(groundAt(parent), parent)].filter((name) => /^r\d/.test(name))).toEqual(['r1'])
})
