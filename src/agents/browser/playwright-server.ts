import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { marksVariable } from '../../system/process/trees/marks.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { McpServer } from '../../spec/front-matter/front-matter.ts'
import type { BrowserLaunch } from './browser-task.ts'
import { missingPeer } from '../load-peer.ts'

export const browserServer = 'playwright'

export interface PlaywrightServer {
  readonly launch: BrowserLaunch
  readonly evidenceDir: string
  /** How the server names files that it wrote: relative ones start at its workspace. */
  readonly filePaths?: 'relative' | 'absolute'
  /** Environment to choose from: of it, server and browser get what they need and no keys. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * How to start Playwright's MCP server: with a browser and a context of its own. Writes nothing but evidence outside of
 * its private folder.
 */
export function playwrightServer({
  launch,
  env,
  evidenceDir,
  filePaths = 'relative',
}: PlaywrightServer): Extract<McpServer, { command: string }> {
  const { home } = launch
  const configFile = join(home, 'playwright.json')
  const config = {
    browser: { browserName: 'chromium', isolated: true, ...playwrightOptions(launch) },
    capabilities: ['testing', 'storage'],
    outputDir: evidenceDir,
    filePaths,
    // Else each action writes the page into a file that a model cannot read.
    snapshot: { mode: 'none' },
    // A browser that nobody uses stays: blocks between two steps may take long.
    timeouts: { action: 5000, navigation: 20_000, idle: 0 },
  }
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 })
  const args = [playwrightProgram(), '--config', configFile]
  return { command: process.execPath, args, env: browserEnvironment(env, home) }
}

export function playwrightProgram(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@playwright/mcp/package.json')
    return join(dirname(manifest), 'cli.js')
  } catch (error: unknown) {
    throw missingPeer('@playwright/mcp', error)
  }
}

/** Half a sentence; `undefined` where an agent can get a browser. Chrome is looked for when it is needed. */
export function whyNoBrowser(): string | undefined {
  try {
    playwrightProgram()
    return undefined
  } catch {
    return 'the package `@playwright/mcp` is not installed'
  }
}

export function playwrightOptions(launch: Omit<BrowserLaunch, 'home'>): {
  readonly launchOptions: object
  readonly contextOptions: object
} {
  const { executablePath, isHeaded, isSandboxed, ignoresHttpsErrors, httpCredentials, storageState } = launch
  const viewport = { width: 1280, height: 720 }
  return {
    launchOptions: { headless: !isHeaded, chromiumSandbox: isSandboxed, executablePath, args: quietArguments },
    contextOptions: { viewport, ignoreHTTPSErrors: ignoresHttpsErrors, httpCredentials, storageState },
  }
}

const passedNames =
  /^(?:PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i

/** The program, the way out, the screen, and the marks by which a tree is found; all else is in its private folder. */
export function browserEnvironment(env: PlaywrightServer['env'], home: string): Record<string, string> {
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

/** Keep Chromium from asking its maker. Of several lists of features the last one counts: Playwright's is in it. */
export const quietArguments: readonly string[] = [
  '--component-updater=url-source=http://127.0.0.1:9/',
  '--gaia-url=http://127.0.0.1:9/',
  '--gcm-checkin-url=http://127.0.0.1:9/',
  `--disable-features=${disabledFeatures.split(/\s+/).join(',')}`,
]
