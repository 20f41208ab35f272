import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolOutput } from '../../../mcp/mcp-session.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { readProcessTable } from '../../../system/process/trees/process-table.ts'

/** Some calls wait for a page that is not there any more. */
const intervalMs = 250
/** For a process whose pipes are closed already to be gone. */
const dyingMs = 2_000

/**
 * Notices that the server or its browser has died, whoever killed it. Playwright begins another browser without a word:
 * empty and without cookies, it would let the product look wrong.
 */
export class BrowserWatch implements Disposable {
  readonly #lost = new AbortController()
  #browserPids: readonly number[] = []
  #timer: NodeJS.Timeout | undefined

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** @param serverPid whose children the browser is, and was just used */
  begin(serverPid: number | undefined): void {
    if (serverPid === undefined) return
    this.#browserPids = readProcessTable().flatMap(({ pid, parentPid }) => (parentPid === serverPid ? [pid] : []))
    this.#timer = setInterval(() => this.#look(), intervalMs).unref()
  }

  /** From here on they may end. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#browserPids = []
  }

  lose(what: "Playwright's MCP server" | 'The browser'): void {
    this.end(
      new MdtestError('AGENT_BROWSER_UNAVAILABLE', `${what} died in the middle of the run.`, {
        hint: 'Run it again. If that repeats, look for what ends processes here, too little memory most of all: `maxAgents` bounds how many browsers there are at once.',
      }),
    )
  }

  end(error: unknown): void {
    this.#lost.abort(error)
  }

  /** @throws {MdtestError} where something has died. */
  check(): void {
    this.#look()
    this.lost.throwIfAborted()
  }

  async checkAfter({ isError, text }: Pick<ToolOutput, 'isError' | 'text'>): Promise<void> {
    const endMs = performance.now() + (isError && saysClosed.test(text) ? dyingMs : 0)
    while (!this.#isBrowserGone && performance.now() < endMs) await sleep(20)
    this.check()
  }

  #look(): void {
    if (this.#isBrowserGone) this.lose('The browser')
  }

  get #isBrowserGone(): boolean {
    return this.#browserPids.length > 0 && !this.#browserPids.some(isAlive)
  }
}

/** A page that closed itself says so, too, with its browser alive. */
const saysClosed = /\b(?:target|page|context|browser)\b[^\n]*\bclosed\b/i

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
