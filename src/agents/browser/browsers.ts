import type { Credentials } from '../../spec/browser/credentials.ts'
import type { BrowserSettings } from './browser-settings.ts'
import { checkConnection } from './set-up/check-connection.ts'
import { playwrightProgram } from './playwright-server.ts'
import { checkDisplay, checkSetUp, findBrowser, findProgram, type BrowserSetUp } from './set-up/check-set-up.ts'
import type { InstallContext } from './set-up/find-chrome.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Each application has a login of its own. */
interface LoginPlace {
  /** Absolute path of the login. */
  readonly file: string
  readonly baseUrl?: string | undefined
  readonly credentials?: Credentials
}

/** What the browser specs of one run share. Each thing is looked for once. */
export class Browsers {
  readonly #install: InstallContext
  readonly #ready = new Map<string, Promise<BrowserSetUp>>()
  readonly #connections = new Map<string, Promise<void>>()
  readonly #logins = new Map<string, Promise<string>>()
  #program: Promise<string> | undefined
  #programOfBlocks: Promise<string> | undefined

  constructor(install: InstallContext) {
    this.#install = install
  }

  /**
   * Whether a spec of the agent `browser` has what it needs; no model is asked.
   * @throws {MdtestError} that says what is missing.
   */
  async check(settings: BrowserSettings, env: Environment): Promise<void> {
    await checkSetUp(settings, env, this.#install)
  }

  /**
   * Set-up of a spec of the agent `browser`, with a model that answers.
   * @throws {MdtestError} that says what is missing.
   */
  ready(settings: BrowserSettings, env: Environment): Promise<BrowserSetUp> {
    const key = JSON.stringify(settings)
    const known = this.#ready.get(key) ?? this.#connected(settings, env)
    this.#ready.set(key, known)
    return known
  }

  /**
   * Program of Chrome or Chromium.
   * @throws {MdtestError} where there is none.
   */
  program(env: Environment): Promise<string> {
    return (this.#program ??= findBrowser(env, this.#install))
  }

  /**
   * The same for browser blocks, which are no agent.
   * @throws {MdtestError} that says what is missing.
   */
  async programOfBlocks({ isHeaded }: Pick<BrowserSettings, 'isHeaded'>, env: Environment): Promise<string> {
    playwrightProgram()
    if (isHeaded) await checkDisplay(env)
    return (this.#programOfBlocks ??= findProgram(env, this.#install))
  }

  /** What a login has left that some scenario of this run began with, where there was one. */
  async leftBy(place: LoginPlace): Promise<string | undefined> {
    return this.#logins.get(keyOf(place))
  }

  /**
   * Absolute path of the cookies and storage of a login. The first spec that needs the login runs it, the others wait.
   */
  async login(place: LoginPlace, logIn: () => Promise<string>): Promise<string> {
    const key = keyOf(place)
    const known = this.#logins.get(key) ?? logIn()
    this.#logins.set(key, known)
    return known
  }

  /** A login that was interrupted counts as not tried. */
  forgetLogin(place: LoginPlace): void {
    this.#logins.delete(keyOf(place))
  }

  /** Another run begins. */
  reset(): void {
    this.#ready.clear()
    this.#connections.clear()
    this.#logins.clear()
    this.#program = undefined
    this.#programOfBlocks = undefined
  }

  /** Specs of several web applications share a model. */
  async #connected(settings: BrowserSettings, env: Environment): Promise<BrowserSetUp> {
    const setUp = await checkSetUp(settings, env, this.#install)
    const key = JSON.stringify(setUp.model)
    const known = this.#connections.get(key) ?? checkConnection(setUp.model)
    this.#connections.set(key, known)
    await known
    return setUp
  }
}

function keyOf({ file, baseUrl, credentials }: LoginPlace): string {
  return JSON.stringify([file, baseUrl, credentials])
}
