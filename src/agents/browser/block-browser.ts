import { signInWith, type SignIn } from '../../login/secrets-and-origins.ts'
import { launchSettings } from './browser-settings.ts'
import type { BrowserSettings, BrowserLaunch, LaunchSettings, StorageStates } from './browser-settings.ts'
import { playwrightFolder } from './playwright-package.ts'
import { browserEnvironment, playwrightOptions } from './launch-options.ts'

/** How to start a browser for the browser blocks of a scenario. Paths are absolute. */
export interface BrowserStart {
  readonly playwright: string
  readonly launchOptions: object
  readonly contextOptions: object
  readonly storageStates: StorageStates
  readonly signIn: SignIn
  /** User name → the reason why that user could not be signed in. */
  readonly refusals: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly home: string
}

/** How to start a browser for blocks, configured like an agent's browser. @throws {MdtestError} without Playwright */
export function blockBrowser(
  place: Pick<BrowserLaunch, 'home' | 'executablePath'> & Partial<Pick<BrowserStart, 'storageStates' | 'refusals'>>,
  settings: LaunchSettings & Pick<BrowserSettings, 'signIn'>,
  env: Readonly<Record<string, string | undefined>>,
): BrowserStart {
  const { home, executablePath, storageStates = {}, refusals = {} } = place
  return {
    playwright: playwrightFolder(),
    ...playwrightOptions({ ...launchSettings(settings), executablePath }),
    ...{ storageStates, refusals, home },
    signIn: signInWith(settings.signIn, settings.baseUrl, env),
    env: browserEnvironment(env, home),
  }
}
