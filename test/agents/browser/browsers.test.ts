import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findChrome } from '../../../src/agents/browser/browsers.ts'
import { useFolders } from '../../host/use-folder.ts'

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
  expect(findChrome({ PATH: path }, usual)).toBeUndefined()
  const onPath = await put('bin/chromium')
  expect(findChrome({ PATH: path }, usual)).toBe(onPath)
  expect(findChrome({ PATH: path }, [await put('opt-chrome')])).toBe(folder.at('opt-chrome'))
})
