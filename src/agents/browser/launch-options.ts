import { join } from 'node:path'
import { browserMark, marksVariable, withMarks } from '../../system/process/trees/marks.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Environment } from '../env-file.ts'
import type { BrowserLaunch } from './browser-settings.ts'

export function playwrightOptions(
  launch: Omit<BrowserLaunch, 'home'>,
): Readonly<Record<'launchOptions' | 'contextOptions', object>> {
  const { executablePath, isHeaded, ignoresHttpsErrors, httpCredentials } = launch
  const viewport = { width: 1280, height: 720 }
  return {
    launchOptions: {
      ...{ headless: !isHeaded, executablePath, args: quietArguments },
      // For root, Chromium starts only without its sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
      // Playwright must not react to signals: mdtest ends the browser.
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    },
    contextOptions: { viewport, ignoreHTTPSErrors: ignoresHttpsErrors, httpCredentials },
  }
}

const passedNames =
  /^(?:PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i

/** Only variables that a browser needs, and the marks of mdtest's processes. `home` gets the browser's files. */
export function browserEnvironment(env: Environment, home: string): Record<string, string> {
  const all = Object.entries(withoutUndefined<Record<string, string>>(env))
  const passed = Object.fromEntries(all.filter(([name]) => passedNames.test(name) || name === marksVariable))
  return {
    ...withMarks(passed, [browserMark]),
    HOME: home,
    TMPDIR: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    LANG: 'C.UTF-8',
  }
}

const disabledFeatures = `PreconnectToSearch AutofillServerCommunication
    AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose DialMediaRouteProvider GlobalMediaControls
    HttpsUpgrades LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning
    BlockOriginHeaderModificationOnRedirect Translate AutoDeElevate OptimizationHints NetworkTimeServiceQuerying
    AimEnabled msForceBrowserSignIn msEdgeUpdateLaunchServicesPreferredVersion`

/** Prevents requests to Google. Repeats Playwright's list: Chromium reads only the last `--disable-features`. */
export const quietArguments: readonly string[] = [
  '--component-updater=url-source=http://127.0.0.1:9/',
  '--gaia-url=http://127.0.0.1:9/',
  '--gcm-checkin-url=http://127.0.0.1:9/',
  `--disable-features=${disabledFeatures.split(/\s+/).join(',')}`,
]
