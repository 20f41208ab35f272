import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findChrome } from '../../../../src/agents/browser/set-up/find-chrome.ts'
import { useFolders } from '../../../host/use-folder.ts'

const makeFolder = useFolders()

test('is looked for at the usual places, then on PATH', async () => {
  const folder = makeFolder()
  const put = async (name: string): Promise<string> => {
    await writeFile(folder.at(name), '#!/bin/sh\n')
    await chmod(folder.at(name), 0o755)
    return folder.at(name)
  }
  await mkdir(folder.at('bin'))
  const usual = [folder.at('opt-chrome')]
  const path = `/nowhere:${folder.at('bin')}`
  expect(findChrome({ usual, path })).toBeUndefined()
  const onPath = await put('bin/chromium')
  expect(findChrome({ usual, path })).toBe(onPath)
  expect(findChrome({ usual: [await put('opt-chrome')], path })).toBe(folder.at('opt-chrome'))
})
