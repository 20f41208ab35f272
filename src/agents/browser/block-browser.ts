import type { BrowserSettings } from './browser-settings.ts'
import { launchSettings, type BrowserLaunch } from './browser-task.ts'
import { playwrightFolder } from './playwright-package.ts'
import { browserEnvironment, playwrightOptions } from './playwright-server.ts'

/** How a browser is started for the browser blocks of a scenario. Paths are absolute. */
export interface BrowserStart {
  readonly playwright: string
  readonly launchOptions: object
  readonly contextOptions: object
  readonly env: Readonly<Record<string, string>>
  /** A short path of an empty private folder, for all that the browser writes for itself. */
  readonly home: string
}

export function blockLaunch(
  place: Pick<BrowserLaunch, 'home' | 'executablePath' | 'storageState'>,
  settings: BrowserSettings,
): Omit<BrowserLaunch, 'isSandboxed'> {
  return { ...place, ...launchSettings(settings) }
}

/** A browser like that of an agent, without an MCP server. @throws {MdtestError} where the package is missing. */
export function blockBrowser(
  launch: Omit<BrowserLaunch, 'isSandboxed'>,
  env: Readonly<Record<string, string | undefined>>,
): BrowserStart {
  return {
    playwright: playwrightFolder(),
    ...playwrightOptions({ ...launch, isSandboxed: process.getuid?.() !== 0 }),
    env: browserEnvironment(env, launch.home),
    home: launch.home,
  }
}
