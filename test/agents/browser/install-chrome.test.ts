import { readdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installChrome } from '../../../src/agents/browser/install-chrome.ts'
import { createLiveTrees, type LiveTrees } from '../../../src/exec/live-trees.ts'
import { createMark } from '../../../src/exec/marks.ts'
import { useFolders } from '../../host/use-folder.ts'
import { startDownloads } from '../../support/start-downloads.ts'

const makeFolder = useFolders()
const { PATH } = process.env
let trees: LiveTrees
beforeEach(() => {
  trees = createLiveTrees(createMark())
})
afterEach(() => trees.close())

test('a browser that cannot be installed is an error with a way out', async () => {
  await using downloads = await startDownloads()
  const url = `${downloads.url}/builds/`
  const env = { PATH, PLAYWRIGHT_DOWNLOAD_HOST: downloads.url, PLAYWRIGHT_BROWSERS_PATH: makeFolder().path }
  const { message } = await installChrome(env, { trees }).then(
    (program) => new Error(`installed ${program}`),
    (error: Error) => error,
  )
  expect(message).toContain(`could not install one (Download failed: server returned code 404. URL: ${url}`)
  expect(message).toMatch(/\.zip\)\. Install Chrome or Chromium, or run `npx playwright install chromium`\.$/)
})

test('a browser is installed once; one whose installation was interrupted once more', async () => {
  await using downloads = await startDownloads()
  downloads.stock()
  const folder = makeFolder()
  const env = { PATH, PLAYWRIGHT_DOWNLOAD_HOST: downloads.url, PLAYWRIGHT_BROWSERS_PATH: folder.path }
  const told: string[] = []
  const install = (): Promise<string> => installChrome(env, { trees, tell: (sentence) => void told.push(sentence) })
  const [program] = await Promise.all([install(), install()])
  const first = downloads.requests.filter((path) => path.includes('chrome'))
  expect(first).toEqual([expect.stringMatching(/chrome-linux/)])
  const told1 = told.length
  expect(await install()).toBe(program)
  expect([told.length, told[0]]).toEqual([told1, expect.stringContaining('There is no Chrome or Chromium')])
  const installed = dirname(dirname(program))
  expect(await readdir(installed)).toContain('INSTALLATION_COMPLETE')
  await rm(`${installed}/INSTALLATION_COMPLETE`)
  expect(await install()).toBe(program)
  expect(downloads.requests.filter((path) => path.includes('chrome'))).toHaveLength(2)
})
