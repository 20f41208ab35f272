import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flagsWithoutDebugger, ownFile } from '../../system/own-package.ts'
import { marksVariable } from '../../system/process/trees/marks.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { McpServer } from '../../spec/front-matter/front-matter.ts'
import type { BrowserLaunch, BrowserPlace } from './browser-task.ts'

type Environment = Readonly<Record<string, string | undefined>>

const userFile = (home: string): string => join(home, 'user')

/** Sets the user for the browser tools. mdtest calls this after a step report, so no model can influence it. */
export function actAs(user: string, home: string): void {
  writeFileSync(userFile(home), user)
}

export function actingUser(home: string): string {
  return existsSync(userFile(home)) ? readFileSync(userFile(home), 'utf8') : ''
}

/** How to start mdtest's browser server as a program, for third-party agents. */
export function browserProgram(place: BrowserPlace, env: Environment): McpServer {
  const { home } = place.launch
  const file = join(home, 'browser.json')
  writeFileSync(file, JSON.stringify(place), { mode: 0o600 })
  const args = [...flagsWithoutDebugger(), ownFile('#browser-server'), file]
  return { command: process.execPath, args, env: browserEnvironment(env, home) }
}

export function playwrightOptions(launch: Omit<BrowserLaunch, 'home'>): {
  readonly launchOptions: object
  /** Options of a new context, except cookies and storage. */
  readonly contextOptions: object
} {
  const { executablePath, isHeaded, isSandboxed, ignoresHttpsErrors, httpCredentials } = launch
  const viewport = { width: 1280, height: 720 }
  return {
    launchOptions: {
      ...{ headless: !isHeaded, chromiumSandbox: isSandboxed, executablePath, args: quietArguments },
      // Playwright must not react to signals: mdtest ends the browser.
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    },
    contextOptions: { viewport, ignoreHTTPSErrors: ignoresHttpsErrors, httpCredentials },
  }
}

const passedNames =
  /^(?:PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i

/** Variables for programs, proxies, certificates, display and mdtest's marks. All files go to the private folder. */
export function browserEnvironment(env: Environment, home: string): Record<string, string> {
  const all = Object.entries(withoutUndefined<Record<string, string>>(env))
  const passedOn = all.filter(([name]) => passedNames.test(name) || name === marksVariable)
  return {
    ...Object.fromEntries(passedOn),
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

/** Prevents Chromium from contacting Google. Repeats Playwright's disabled features: only the last list counts. */
export const quietArguments: readonly string[] = [
  '--component-updater=url-source=http://127.0.0.1:9/',
  '--gaia-url=http://127.0.0.1:9/',
  '--gcm-checkin-url=http://127.0.0.1:9/',
  `--disable-features=${disabledFeatures.split(/\s+/).join(',')}`,
]
