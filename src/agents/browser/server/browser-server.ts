import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerTool, ToolOutput } from '../../../mcp/mcp-session.ts'
import { firstLineOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { actingUser } from '../acting-user.ts'
import type { BrowserPlace } from '../browser-task.ts'
import { browserTools } from '../browser-tools.ts'
import { playwright } from '../playwright-package.ts'
import { browserEnvironment, playwrightOptions } from '../playwright-server.ts'
import { callPlaywright, distrustIn } from './call-playwright.ts'
import type { Chromium } from './playwright.ts'
import type { SignIn } from '../../../sign-in/sign-in.ts'
import { MailTools } from './mail-tools.ts'
import { Secrets } from './secrets.ts'
import { typeSecret } from './type-secret.ts'
import { UserBrowser, type Input, type OwnTool } from './user-browser.ts'

interface Surroundings {
  /** Environment to choose from: of it, the browser gets what it needs and no keys. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * mdtest's own browser server: one Chromium, in which each user of a scenario has a context of its own, and on it a
 * server of Playwright's. The tools that a model is offered are these, whichever way they reach it.
 */
export class BrowserServer {
  readonly tools: readonly ServerTool[]
  readonly #place: BrowserPlace
  readonly #options: Surroundings
  readonly #own: ReadonlyMap<string, OwnTool>
  readonly #secrets: Secrets
  readonly #mail: MailTools
  readonly #users = new Map<string, Promise<UserBrowser>>()
  readonly #lost = new AbortController()
  #chromium: Promise<Chromium> | undefined

  constructor(place: BrowserPlace, options: Surroundings) {
    const { launch, signIn = noSignIn } = place
    this.#place = place
    this.#options = options
    this.#secrets = new Secrets(signIn)
    this.#mail = new MailTools(signIn)
    const own = [...secretTools(signIn, this.#secrets, launch.home), ...this.#mail.tools]
    this.#own = new Map(own.map((tool) => [tool.name, tool]))
    this.tools = [...browserTools, ...own]
  }

  /** Is aborted where the browser died, or the application cannot be seen at all. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** @throws {MdtestError} `AGENT_BROWSER_UNAVAILABLE` where the browser does not start. */
  async start(): Promise<void> {
    await this.user()
  }

  /** The browser of the user who acts now. */
  async user(): Promise<UserBrowser> {
    const name = actingUser(this.#place.launch.home)
    const known = this.#users.get(name) ?? this.#open(name)
    this.#users.set(name, known)
    return known
  }

  /** Calls a tool that is offered. @throws Error where no answer comes */
  async call(tool: string, input: Input, signal?: AbortSignal): Promise<ToolOutput> {
    const user = await this.user()
    this.lost.throwIfAborted()
    if (this.#mail.isForeign(input['url'])) return { text: foreignLink, parts: [], isError: true }
    const own = this.#own.get(tool)
    const calling = own?.run(input, user, signal) ?? callPlaywright(tool, input, { user, signal, ...this.#place })
    const output = await calling.catch(async (error: unknown) => {
      await this.#settle()
      throw error
    })
    if (output.isError && saysClosed.test(output.text)) await this.#settle()
    const distrust = output.isError ? distrustIn(output.text, this.#place.baseUrl) : undefined
    if (distrust !== undefined) this.#lose(distrust)
    this.lost.throwIfAborted()
    // Programs of others end when they like.
    if (this.#place.storageStateOut !== undefined) await user.saveStorageState(this.#place.storageStateOut)
    return { ...output, text: this.#secrets.redact(output.text) }
  }

  /** Playwright tells of a browser that died a moment after the calls that it was in. @throws what it was lost by */
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
    try {
      const chromium = await (this.#chromium ??= this.#launch())
      const context = await chromium.newContext({ ...contextOptions, storageState })
      return await UserBrowser.open(context, { ...this.#place, secrets: this.#secrets })
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

  async #launch(): Promise<Chromium> {
    const { launch } = this.#place
    const { launchOptions } = playwrightOptions(launch)
    const env = browserEnvironment(this.#options.env, launch.home)
    const chromium = await playwright().chromium.launch({ ...launchOptions, env })
    chromium.on('disconnected', () => {
      // Another one would be empty and without cookies: it would let the product look wrong.
      if (this.#chromium !== undefined) this.#lose(died())
    })
    return chromium
  }
}

const dyingMs = 100
/** A page that closed itself says so, too, with its browser alive. */
const saysClosed = /\b(?:target|page|context|browser)\b[^\n]*\bclosed\b/i

/** What a spec may use beside Playwright's tools: each of them is described in every request. */
function secretTools(signIn: SignIn, secrets: Secrets, home: string): readonly OwnTool[] {
  const { secrets: values, codes } = signIn
  return Object.keys({ ...values, ...codes }).length === 0 ? [] : [typeSecret(signIn, secrets, home)]
}

const foreignLink =
  'That link of a mail leads to another origin than those of `base-url` and `secret-origins`. It was not opened: report what you see.'

const noSignIn: SignIn = { secrets: {}, codes: {}, origins: [] }

function died(): MdtestError {
  return new MdtestError('AGENT_BROWSER_UNAVAILABLE', 'The browser died in the middle of the run.', {
    hint: 'Run it again. If that repeats, look for what ends processes here, too little memory most of all: `maxAgents` bounds how many browsers there are at once.',
  })
}
