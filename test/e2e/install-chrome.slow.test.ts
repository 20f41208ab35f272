import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installChrome } from '../../src/agents/browser/set-up/find-chrome.ts'
import { createLiveTrees, type LiveTrees } from '../../src/system/process/launcher/live-trees.ts'
import { createMark } from '../../src/system/process/trees/marks.ts'
import { useFolders } from '../host/use-folder.ts'
import { startDownloads } from '../support/start-downloads.ts'

const makeFolder = useFolders()
const { PATH } = process.env
let trees: LiveTrees
beforeEach(() => {
  trees = createLiveTrees(createMark())
})
afterEach(() => trees.close())

// What a failure says: test/browser/install.test.ts.
test.skipIf(process.platform !== 'linux')(
  'a browser is installed once; one whose installation was interrupted once more',
  async () => {
    await using downloads = await startDownloads()
    downloads.stock()
    const folder = makeFolder()
    const env = { PATH, PLAYWRIGHT_DOWNLOAD_HOST: downloads.url, PLAYWRIGHT_BROWSERS_PATH: folder.path }
    const told: string[] = []
    const install = (): Promise<string> => installChrome(env, { trees, tell: (sentence) => void told.push(sentence) })
    const program = await install()
    const installed = dirname(dirname(program))
    expect(await readdir(installed)).toContain('INSTALLATION_COMPLETE')
    expect(await install()).toBe(program)
    expect(told).toEqual([expect.stringContaining('There is no Chrome or Chromium')])
    await rm(join(installed, 'INSTALLATION_COMPLETE'))
    expect(await install()).toBe(program)
    const chrome = expect.stringMatching(/chrome-linux/)
    expect(downloads.requests.filter((path) => !path.includes('ffmpeg'))).toEqual([chrome, chrome])
  },
  180_000,
)
