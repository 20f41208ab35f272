import { withoutUndefined } from '../../system/without-undefined.ts'
import { withEnvFile } from '../env-file.ts'
import type { AgentNeeds, ReadyAgent, ScenarioPlace } from '../preparation.ts'
import type { BrowserSettings } from './browser-settings.ts'
import { launchSettings, type BrowserLaunch, type BrowserPart } from './browser-task.ts'
import { browserServer, playwrightServer } from './playwright-server.ts'
import { offeredNames } from './browser-tools.ts'

/** Prepares an agent that uses MCP servers: where the spec requires a browser, Playwright's server is among them. */
export async function prepareWithServers(needs: AgentNeeds): Promise<ReadyAgent> {
  const { needsBrowser, browsers, env, mcpServers, browser } = needs
  if (!needsBrowser) return { takesLogin: false, equip: () => ({ mcpServers }) }
  const executablePath = await browsers.program(browser, env)
  return {
    takesLogin: false,
    equip(place) {
      const launch = launchAt(place, executablePath, browser)
      const playwright = playwrightServer({ launch, evidenceDir: place.evidenceDir, env })
      return { mcpServers: { [browserServer]: { ...playwright, tools: offeredNames }, ...mcpServers } }
    },
  }
}

export async function prepareWithModel(needs: AgentNeeds): Promise<ReadyAgent> {
  const { browser, browsers, env, mcpServers, root, stepCount } = needs
  const { model, executablePath } = await browsers.ready(browser, withEnvFile(env, root))
  const { maxModelSteps, baseUrl } = browser
  return {
    takesLogin: true,
    equip(place) {
      const { evidenceDir, storageStateOut } = place
      const launch = launchAt(place, executablePath, browser)
      const part = { model, launch, maxModelSteps, stepCount, evidenceDir, baseUrl, storageStateOut }
      return { mcpServers, browser: withoutUndefined<BrowserPart>(part) }
    },
  }
}

function launchAt(place: ScenarioPlace, executablePath: string, settings: BrowserSettings): BrowserLaunch {
  const { storageState } = place
  return {
    ...launchSettings(settings),
    ...{ executablePath, home: place.makeHome() },
    // Chromium has no sandbox for root, and does not start with one.
    isSandboxed: process.getuid?.() !== 0,
    ...(storageState !== undefined && { storageState }),
  }
}
