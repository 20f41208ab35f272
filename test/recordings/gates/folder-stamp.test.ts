import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stampOf } from '../../../src/recordings/gates/folder-stamp.ts'

it.each<[string, boolean, (folder: string) => void]>([
  ['nothing', false, () => {}],
  ['an edited file of the same size', true, (folder) => writeFileSync(join(folder, 'src/a.js'), '2')],
  ['a new file in a folder', true, (folder) => writeFileSync(join(folder, 'src/b.js'), '')],
  ['a file that is gone', true, (folder) => rmSync(join(folder, 'src/a.js'))],
  ['a link to nowhere', true, (folder) => symlinkSync('gone', join(folder, 'link'))],
  ['what packages keep', false, (folder) => writeFileSync(join(folder, 'node_modules/kept'), '')],
  ['the whole folder that is gone', true, (folder) => rmSync(folder, { recursive: true })],
])('tells %s: %s', (_what, isOther, change) => {
  const folder = mkdtempSync(join(tmpdir(), 'mdtest-stamp-'))
  try {
    for (const name of ['src', 'node_modules']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'src/a.js'), '1')
    utimesSync(join(folder, 'src/a.js'), 1, 1)
    const before = stampOf(folder)
    change(folder)
    expect(stampOf(folder) !== before).toBe(isOther)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
