import type { Readable } from 'node:stream'
import type { LaunchSettings } from './browser-task.ts'
import { launchSettings } from './browser-task.ts'
import { playwright } from './playwright-package.ts'
import { browserEnvironment, playwrightOptions } from './playwright-server.ts'
import type { Context, StorageState } from './server/playwright.ts'

interface HandLogin {
  readonly executablePath: string
  /** Empty private folder with a short path. */
  readonly home: string
  readonly settings: LaunchSettings & { readonly baseUrl: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly signal: AbortSignal
}

/** Shows a browser until the user presses Enter in the terminal or closes it. Returns its cookies and storage. */
export async function signInByHand({ settings, home, stdin, signal, ...place }: HandLogin): Promise<StorageState> {
  const { executablePath, env } = place
  const launch = { ...launchSettings(settings), isHeaded: true, executablePath }
  const { launchOptions, contextOptions } = playwrightOptions(launch)
  const chromium = await playwright().chromium.launch({ ...launchOptions, env: browserEnvironment(env, home) })
  try {
    const context = await chromium.newContext({ ...contextOptions, viewport: null })
    const page = await context.newPage()
    const seen: { state: StorageState } = { state: { cookies: [], origins: [] } }
    // Save cookies at each page load, because a closed browser cannot return them any more.
    page.on('load', () => void keepCookies(context, seen))
    const done = new Promise<void>((resolve) => {
      stdin.once('data', () => resolve())
      page.on('close', () => resolve())
      chromium.on('disconnected', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await page.goto(settings.baseUrl)
    await done
    return await context.storageState().catch(() => seen.state)
  } finally {
    stdin.pause()
    await chromium.close().catch(() => undefined)
  }
}

async function keepCookies(context: Context, seen: { state: StorageState }): Promise<void> {
  const cookies = await context.cookies().catch(() => undefined)
  if (cookies !== undefined) seen.state = { cookies, origins: [] }
}
