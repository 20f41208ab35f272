import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { McpServer } from '../../spec/front-matter/front-matter.ts'
import { flagsWithoutDebugger, ownFile } from '../../system/mdtest-package.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { signInWith } from '../../login/secrets-and-origins.ts'
import { withEnvFile, type Environment } from '../env-file.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from '../preparation.ts'
import { launchSettings, type BrowserPlace } from './browser-settings.ts'
import { browserServer } from './playwright-package.ts'
import { actAs } from './acting-user.ts'
import { browserEnvironment } from './launch-options.ts'

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

/** How to start mdtest's browser server as a program, for third-party agents. */
function browserProgram(place: BrowserPlace, env: Environment): McpServer {
  const { home } = place.launch
  const file = join(home, 'browser.json')
  writeFileSync(file, JSON.stringify(place), { mode: 0o600 })
  const args = [...flagsWithoutDebugger(), ownFile('#browser-server'), file]
  return { command: process.execPath, args, env: browserEnvironment(env, home) }
}
