import { withoutUndefined } from '../../system/without-undefined.ts'
import { signInWith } from '../../sign-in/sign-in-settings.ts'
import { withEnvFile } from '../env-file.ts'
import type { AgentNeeds, ReadyAgent, ScenarioPlace } from '../preparation.ts'
import { actAs } from './acting-user.ts'
import { launchSettings, type BrowserPart, type BrowserPlace } from './browser-task.ts'
import { browserServer } from './playwright-package.ts'
import { browserProgram } from './playwright-server.ts'

/** Prepares an agent that uses MCP servers. Adds mdtest's browser server if the spec requires a browser. */
export async function prepareWithServers(needs: AgentNeeds): Promise<ReadyAgent> {
  const { needsBrowser, browsers, env, mcpServers, browser } = needs
  if (!needsBrowser) return { takesLogin: false, equip: () => ({ mcpServers }) }
  const executablePath = await browsers.program(browser, env)
  return {
    takesLogin: true,
    equip(place) {
      const opened = browserAt(place, executablePath, needs)
      return {
        mcpServers: { [browserServer]: browserProgram(opened, env), ...mcpServers },
        actAs: (user) => actAs(user, opened.launch.home),
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
      const opened = browserAt(place, executablePath, needs)
      const part: BrowserPart = { ...opened, model, maxModelSteps: browser.maxModelSteps, stepCount }
      return { mcpServers, browser: part, actAs: (user) => actAs(user, opened.launch.home) }
    },
  }
}

function browserAt(
  place: ScenarioPlace,
  executablePath: string,
  { browser: settings, env, root }: AgentNeeds,
): BrowserPlace {
  const { users, storageStateOut, evidenceDir, cwd } = place
  const { first, storageStates } = users
  const home = place.makeHome()
  actAs(first, home)
  const launch = { ...launchSettings(settings), executablePath, home }
  const { baseUrl, signIn } = settings
  return withoutUndefined<BrowserPlace>({
    ...{ launch, evidenceDir, cwd, baseUrl, storageStates, storageStateOut },
    signIn: signInWith(signIn, baseUrl, withEnvFile(env, root)),
  })
}
