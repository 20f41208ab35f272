import type { BrowserSettings } from '../agents/browser/browser-settings.ts'
import { checkConnection } from '../agents/browser/check-connection.ts'
import { checkSetUp, findBrowser, type BrowserSetUp } from '../agents/browser/check-set-up.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the browser specs of one run share: each thing is looked for once. */
export class Browsers {
  readonly #ready = new Map<string, Promise<BrowserSetUp>>()
  readonly #connections = new Map<string, Promise<void>>()
  readonly #logins = new Map<string, Promise<string>>()
  #program: Promise<string> | undefined

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
    return (this.#program ??= findBrowser(env))
  }

  /**
   * What a login leaves in the browser, absolute path: carried out by the first spec that needs it, the others wait.
   * @param file absolute path of the login
   */
  async login(file: string, carryOut: () => Promise<string>): Promise<string> {
    const known = this.#logins.get(file) ?? carryOut()
    this.#logins.set(file, known)
    return known
  }

  /** A login that was interrupted says nothing. */
  forgetLogin(file: string): void {
    this.#logins.delete(file)
  }

  /** Another run begins. */
  reset(): void {
    this.#ready.clear()
    this.#connections.clear()
    this.#logins.clear()
    this.#program = undefined
  }

  /** Specs of several web applications share a model. */
  async #connected(settings: BrowserSettings, env: Environment): Promise<BrowserSetUp> {
    const setUp = await checkSetUp(settings, env)
    const key = JSON.stringify(setUp.model)
    const known = this.#connections.get(key) ?? checkConnection(setUp.model)
    this.#connections.set(key, known)
    await known
    return setUp
  }
}
