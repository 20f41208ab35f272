import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { surroundingsBefore } from '../../../src/recordings/gates/surroundings.ts'

test('folders that changed at once each have their own', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'surroundings-')))
  const folders = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const folder = join(base, `bin${index}`)
      await mkdir(folder)
      await writeFile(join(folder, 'new'), '')
      return folder
    }),
  )
  const makeFolder = (): Promise<string> => mkdtemp(join(base, 'made-'))
  const { PATH = '' } = await surroundingsBefore(0, { env: { PATH: folders.join(delimiter) }, makeFolder })
  expect(new Set(PATH.split(delimiter)).size).toBe(8)
  await rm(base, { recursive: true })
})
