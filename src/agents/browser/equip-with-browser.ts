import { withoutUndefined } from '../../system/without-undefined.ts'
import { signInWith } from '../../sign-in/secrets-and-origins.ts'
import { withEnvFile } from '../env-file.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from '../preparation.ts'
import { launchSettings, type BrowserPlace } from './browser-settings.ts'
import { browserServer } from './playwright-package.ts'
import { actAs, browserProgram } from './playwright-server.ts'

export async function prepareWithServers(needs: AgentNeeds): Promise<ReadyAgent> {
  const { needsBrowser, browsers, env, mcpServers, browser } = needs
  if (!needsBrowser) return { takesLogin: false, equip: () => ({ mcpServers }) }
  return withBrowser(needs, await browsers.program(browser, env), (place) => ({
    mcpServers: { [browserServer]: browserProgram(place, env), ...mcpServers },
  }))
}

export async function prepareWithModel(needs: AgentNeeds): Promise<ReadyAgent> {
  const { browser, browsers, env, mcpServers, root, stepCount } = needs
  const { model, executablePath } = await browsers.ready(browser, withEnvFile(env, root))
  return withBrowser(needs, executablePath, (place) => ({
    mcpServers,
    browser: { ...place, model, maxModelSteps: browser.maxModelSteps, stepCount },
  }))
}

function withBrowser(
  { browser, env, root }: AgentNeeds,
  executablePath: string,
  equip: (place: BrowserPlace) => Equipment,
): ReadyAgent {
  const { baseUrl, signIn } = browser
  return {
    takesLogin: true,
    equip({ makeHome, ...place }) {
      const home = makeHome()
      const launch = { ...launchSettings(browser), executablePath, home }
      const opened = withoutUndefined<BrowserPlace>({
        ...{ ...place, launch, baseUrl },
        signIn: signInWith(signIn, baseUrl, withEnvFile(env, root)),
      })
      return { ...equip(opened), actAs: (user) => actAs(user, home) }
    },
  }
}
