import type { Readable } from 'node:stream'
import { launchSettings, type LaunchSettings } from './browser-task.ts'
import { playwright } from './playwright-package.ts'
import { browserEnvironment, playwrightOptions } from './playwright-server.ts'
import type { StorageState } from './server/playwright.ts'

interface HandLogin {
  readonly executablePath: string
  /** Empty private folder with a short path. */
  readonly home: string
  readonly settings: LaunchSettings & { readonly baseUrl: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly signal: AbortSignal
}

/** Shows a page until the user presses Enter in the terminal or closes it. Returns its cookies and storage. */
export async function signInByHand({ settings, home, stdin, signal, ...place }: HandLogin): Promise<StorageState> {
  const { executablePath, env } = place
  const launch = { ...launchSettings(settings), isHeaded: true, executablePath }
  const { launchOptions, contextOptions } = playwrightOptions(launch)
  const chromium = await playwright().chromium.launch({ ...launchOptions, env: browserEnvironment(env, home) })
  try {
    const context = await chromium.newContext({ ...contextOptions, viewport: null })
    const page = await context.newPage()
    const done = new Promise<void>((resolve) => {
      stdin.once('data', () => resolve())
      page.on('close', () => resolve())
      chromium.on('disconnected', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await page.goto(settings.baseUrl)
    await done
    return await context.storageState().catch(() => ({ cookies: [], origins: [] }))
  } finally {
    stdin.pause()
    await chromium.close().catch(() => undefined)
  }
}
