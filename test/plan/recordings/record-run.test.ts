import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTempDirs } from '../../../src/plan/recordings/record-run.ts'

it('leaves nothing of the directories that a recording was tried in', async () => {
  const folders = openTempDirs({ makeTempDir: async () => mkdtempSync(join(tmpdir(), 'mdtest-tried-')) })
  const made = [await folders.makeTempDir(), await folders.makeTempDir()]
  for (const folder of made) writeFileSync(join(folder, 'a.txt'), 'a\n', { mode: 0o444 })
  folders[Symbol.dispose]()
  expect(made.map((folder) => existsSync(folder))).toEqual([false, false])
})
