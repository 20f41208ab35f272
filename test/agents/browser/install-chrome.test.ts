import { expect, test } from 'vitest'
import { installChrome } from '../../../src/agents/browser/install-chrome.ts'

test('a browser that cannot be installed is an error with a way out', async () => {
  // Nothing can be put there.
  const env = { PATH: process.env.PATH, PLAYWRIGHT_BROWSERS_PATH: '/dev/null/browsers' }
  await expect(installChrome(env)).rejects.toThrow(
    /^There is no Chrome or Chromium, and Playwright could not install one( \(.+\))?\. Install Chrome or Chromium, or run `npx playwright install chromium`\.$/,
  )
})
