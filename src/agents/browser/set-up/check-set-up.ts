import { MdtestError } from '../../../system/mdtest-error.ts'
import type { BrowserSettings } from '../browser-settings.ts'
import { checkDisplay } from './check-display.ts'
import { createModel } from '../create-model.ts'
import { findChrome, usualPlaces, installChrome, type InstallContext } from './find-chrome.ts'
import { loadPeer } from '../../load-peer.ts'
import { playwrightProgram } from '../playwright-server.ts'
import { resolveModel, type ModelChoice } from '../resolve-model.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What browser specs are carried out with. */
export interface BrowserSetUp {
  readonly model: ModelChoice
  /** Program of Chrome or Chromium. */
  readonly executablePath: string
}

/**
 * Makes sure that a spec of the agent `browser` has all that it needs: address, model, key, packages and a browser.
 * @param env with what `.env` of the suite root says
 * @throws {MdtestError} that names what is missing and what to do.
 */
export async function checkSetUp(
  settings: BrowserSettings,
  env: Environment,
  context: InstallContext,
): Promise<BrowserSetUp> {
  if (settings.baseUrl === undefined) {
    throw new MdtestError('OPTION_INVALID', 'Browser specs need the address of the web application.', {
      hint: 'Give it with `--base-url`, with `base-url` in the front matter or with the option `baseUrl`.',
    })
  }
  if (settings.isHeaded) await checkDisplay(env)
  const model = resolveModel(settings, env)
  await loadPeer('ai', () => import('ai'))
  await createModel(model)
  return { model, executablePath: await findBrowser(env, context) }
}

/**
 * Absolute path of Chrome or Chromium; where the system has none, of Playwright's, which is installed if need be.
 * @throws {MdtestError} where there is none, or no package to drive it with.
 */
export async function findBrowser(env: Environment, context: InstallContext): Promise<string> {
  playwrightProgram()
  return findProgram(env, context)
}

/**
 * The same for whoever drives it without that package.
 * @throws {MdtestError} where there is none.
 */
export async function findProgram(env: Environment, context: InstallContext): Promise<string> {
  return findChrome({ usual: usualPlaces(env), path: env.PATH ?? '' }) ?? (await installChrome(env, context))
}
