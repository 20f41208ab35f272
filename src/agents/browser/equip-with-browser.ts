import { withEnvFile } from '../env-file.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from '../preparation.ts'
import type { BrowserSettings } from './browser-settings.ts'
import { launchSettings, type BrowserLaunch } from './browser-task.ts'
import { browserServer, offeredNames, playwrightServer } from './playwright-server.ts'

/**
 * Prepares an agent that uses MCP servers: where the spec requires a browser, Playwright's server is among them.
 * @throws {MdtestError} where there is no browser, or no package to drive it with.
 */
export async function prepareWithServers(needs: AgentNeeds): Promise<ReadyAgent> {
  const { needsBrowser, browsers, env, mcpServers, browser } = needs
  if (!needsBrowser) return { takesLogin: false, equip: () => ({ mcpServers }) }
  const executablePath = await browsers.program(env)
  return {
    takesLogin: false,
    equip(place) {
      const launch = { ...launchOf(executablePath, browser, place.storageState), home: place.makeHome() }
      const playwright = playwrightServer({ launch, evidenceDir: place.evidenceDir, env })
      return { mcpServers: { [browserServer]: { ...playwright, tools: offeredNames }, ...mcpServers } }
    },
  }
}

/**
 * Prepares the agent that is a model with a browser.
 * @throws {MdtestError} that says what is missing, or why the model does not answer.
 */
export async function prepareWithModel(needs: AgentNeeds): Promise<ReadyAgent> {
  const { browser, browsers, env, mcpServers, root, stepCount } = needs
  const { model, executablePath } = await browsers.ready(browser, withEnvFile(env, root))
  const { maxModelSteps, baseUrl } = browser
  return {
    takesLogin: true,
    equip(place): Equipment {
      const { evidenceDir, storageStateOut } = place
      const launch = { ...launchOf(executablePath, browser, place.storageState), home: place.makeHome() }
      const out = storageStateOut === undefined ? {} : { storageStateOut }
      const at = baseUrl === undefined ? {} : { baseUrl }
      return {
        mcpServers,
        browser: { model, launch, maxModelSteps, stepCount, evidenceDir, ...at, ...out },
      }
    },
  }
}

function launchOf(
  executablePath: string,
  settings: BrowserSettings,
  storageState: string | undefined,
): Omit<BrowserLaunch, 'home'> {
  return {
    executablePath,
    ...launchSettings(settings),
    // Chromium has no sandbox for root, and does not start with one.
    isSandboxed: process.getuid?.() !== 0,
    ...(storageState !== undefined && { storageState }),
  }
}
