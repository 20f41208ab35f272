import { withoutUndefined } from '../../system/without-undefined.ts'
import { withEnvFile } from '../env-file.ts'
import type { AgentNeeds, ReadyAgent, ScenarioPlace } from '../preparation.ts'
import type { BrowserSettings } from './browser-settings.ts'
import { launchSettings, type BrowserPart, type BrowserPlace } from './browser-task.ts'
import { browserServer } from './playwright-package.ts'
import { browserProgram } from './playwright-server.ts'

/** Prepares an agent that uses MCP servers: where the spec requires a browser, mdtest's server is among them. */
export async function prepareWithServers(needs: AgentNeeds): Promise<ReadyAgent> {
  const { needsBrowser, browsers, env, mcpServers, browser } = needs
  if (!needsBrowser) return { takesLogin: false, equip: () => ({ mcpServers }) }
  const executablePath = await browsers.program(browser, env)
  return {
    takesLogin: false,
    equip(place) {
      return {
        mcpServers: { [browserServer]: browserProgram(browserAt(place, executablePath, browser), env), ...mcpServers },
      }
    },
  }
}

export async function prepareWithModel(needs: AgentNeeds): Promise<ReadyAgent> {
  const { browser, browsers, env, mcpServers, root, stepCount } = needs
  const { model, executablePath } = await browsers.ready(browser, withEnvFile(env, root))
  return {
    takesLogin: true,
    equip(place) {
      const { storageStateOut } = place
      const part = {
        ...browserAt(place, executablePath, browser),
        model,
        maxModelSteps: browser.maxModelSteps,
        stepCount,
        storageStateOut,
      }
      return { mcpServers, browser: withoutUndefined<BrowserPart>(part) }
    },
  }
}

function browserAt(place: ScenarioPlace, executablePath: string, settings: BrowserSettings): BrowserPlace {
  const { storageState, evidenceDir, cwd } = place
  const launch = {
    ...launchSettings(settings),
    ...{ executablePath, home: place.makeHome(), storageState },
    // Chromium has no sandbox for root, and does not start with one.
    isSandboxed: process.getuid?.() !== 0,
  }
  return withoutUndefined<BrowserPlace>({ launch, evidenceDir, cwd, baseUrl: settings.baseUrl })
}
