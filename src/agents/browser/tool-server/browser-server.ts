import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerTool, ToolOutput } from '../../../mcp/mcp-session.ts'
import { firstLineOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { BrowserPlace } from '../browser-settings.ts'
import type { Environment } from '../../env-file.ts'
import { browserTools } from '../browser-tools.ts'
import { playwright } from '../playwright-package.ts'
import { actingUser } from '../acting-user.ts'
import { browserEnvironment, playwrightOptions } from '../launch-options.ts'
import { callPlaywright, distrustIn } from './call-playwright.ts'
import type { Browser } from 'playwright-core'
import { signInWith } from '../../../login/secrets-and-origins.ts'
import { mailTools, secretTools } from './secret-and-mail-tools.ts'
import { Secrets } from './secrets.ts'
import { textOutput, UserBrowser, type Input, type OwnTool } from './user-browser.ts'

/** Runs one Chromium. Each user of a scenario has a browser context, and each context has a Playwright MCP server. */
export class BrowserServer {
  readonly tools: readonly ServerTool[]
  readonly #place: BrowserPlace
  /** The browser gets only some variables of this environment, and no keys. */
  readonly #env: Environment
  readonly #own: ReadonlyMap<string, OwnTool>
  readonly #secrets: Secrets
  /** Foreign origins in mails. Links to them must not be opened. */
  readonly #foreign = new Set<string>()
  readonly #users = new Map<string, Promise<UserBrowser>>()
  readonly #lost = new AbortController()
  /** Aborted if the browser died, or does not trust the application's certificate. */
  readonly lost: AbortSignal = this.#lost.signal
  #chromium: Promise<Browser> | undefined

  constructor(place: BrowserPlace, env: Environment) {
    const { launch, signIn = signInWith(undefined, undefined, {}) } = place
    this.#place = place
    this.#env = env
    this.#secrets = new Secrets(signIn)
    const own = [...secretTools(signIn, this.#secrets, launch.home), ...mailTools(signIn, this.#foreign)]
    this.#own = new Map(own.map((tool) => [tool.name, tool]))
    this.tools = [...browserTools, ...own]
  }

  /** The browser of the user who acts now, opened at first use. @throws {MdtestError} AGENT_BROWSER_UNAVAILABLE */
  async user(): Promise<UserBrowser> {
    const name = actingUser(this.#place.launch.home)
    const known = this.#users.get(name) ?? this.#open(name)
    this.#users.set(name, known)
    return known
  }

  /** Calls one of `tools`. @throws Error if no answer comes */
  async call(tool: string, input: Input, signal?: AbortSignal): Promise<ToolOutput> {
    const user = await this.user()
    this.lost.throwIfAborted()
    const { url } = input
    if (typeof url === 'string' && URL.canParse(url) && this.#foreign.has(new URL(url).origin))
      return textOutput(foreignLink, true)
    const own = this.#own.get(tool)
    const calling = own?.run(input, user, signal) ?? callPlaywright(tool, input, { user, signal, ...this.#place })
    const output = await calling.catch(async (error: unknown) => {
      await this.#settle()
      if (own === undefined || signal?.aborted === true) throw error
      return textOutput(firstLineOf(error), true)
    })
    if (output.isError && saysClosed.test(output.text)) await this.#settle()
    const distrust = output.isError ? distrustIn(output.text, this.#place.baseUrl) : undefined
    if (distrust !== undefined) this.#lose(distrust)
    this.lost.throwIfAborted()
    // Save after each call, because a third-party agent can end at any time.
    if (this.#place.storageStateOut !== undefined) await user.saveStorageState(this.#place.storageStateOut)
    return { ...output, text: this.#secrets.redact(output.text) }
  }

  /** Waits, because Playwright reports a dead browser only after the failed call. @throws if the browser is lost */
  async #settle(): Promise<void> {
    await sleep(dyingMs)
    this.lost.throwIfAborted()
  }

  async close(): Promise<void> {
    const chromium = this.#chromium
    this.#chromium = undefined
    await chromium?.then((open) => open.close()).catch(() => undefined)
  }

  async #open(name: string): Promise<UserBrowser> {
    const { launch, storageStates } = this.#place
    const { contextOptions } = playwrightOptions(launch)
    const storageState = storageStates?.[name]
    const options = { ...contextOptions, ...(storageState !== undefined && { storageState }) }
    try {
      const chromium = await (this.#chromium ??= this.#launch())
      return await UserBrowser.open(await chromium.newContext(options), { ...this.#place, secrets: this.#secrets })
    } catch (error: unknown) {
      throw this.#lose(error instanceof MdtestError ? error : this.#unavailable(error))
    }
  }

  #unavailable(error: unknown): MdtestError {
    const why = firstLineOf(error).replace(/^(?:\w+\.\w+: )?(?:Error: )?/, '')
    const message = `The browser does not start: ${why}.`
    const hint = 'It needs a display that can be reached: see `DISPLAY`, or leave out `--headed`.'
    const { isHeaded } = this.#place.launch
    return new MdtestError('AGENT_BROWSER_UNAVAILABLE', message, { ...(isHeaded && { hint }), cause: error })
  }

  #lose(error: MdtestError): MdtestError {
    this.#lost.abort(error)
    return error
  }

  async #launch(): Promise<Browser> {
    const { launch } = this.#place
    const { launchOptions } = playwrightOptions(launch)
    const env = browserEnvironment(this.#env, launch.home)
    const chromium = await playwright().chromium.launch({ ...launchOptions, env })
    chromium.on('disconnected', () => {
      // Do not start another browser: without the cookies the product would look broken.
      if (this.#chromium !== undefined) this.#lose(died())
    })
    return chromium
  }
}

const dyingMs = 100
/** Also matches the error for a page that closed itself, although the browser still runs. */
const saysClosed = /\b(?:target|page|context|browser)\b[^\n]*\bclosed\b/i

const foreignLink =
  'That link of a mail leads to another origin than those of `base-url` and `secret-origins`. It was not opened: report what you see.'

function died(): MdtestError {
  return new MdtestError('AGENT_BROWSER_UNAVAILABLE', 'The browser died in the middle of the run.', {
    hint: 'Run it again. If it dies again, find out what ends processes here, most often a lack of memory: `maxAgents` limits how many browsers run at once.',
  })
}
