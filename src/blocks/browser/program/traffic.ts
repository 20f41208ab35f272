import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

const maxSettleMs = 1000

/** A request counts as a long poll if it is open longer than this, in milliseconds. */
const lastingMs = 3000

/** Types of requests to wait for. Pictures and the like may load later. */
const awaited: ReadonlySet<string> = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])

/** The open requests of a page. A request that stays open, such as a long poll, is awaited only once. */
export class Traffic {
  readonly #page: Page
  readonly #open = new Map<Request, number>()
  readonly #lasting = new Set<string>()
  #wake: () => void = () => {}

  constructor(page: Page) {
    this.#page = page
    page.on('request', (request) => {
      if (awaited.has(request.resourceType())) this.#open.set(request, performance.now())
      this.#wake()
    })
    const end = (request: Request): void => {
      const sinceMs = this.#open.get(request)
      const isSlow = sinceMs !== undefined && performance.now() - sinceMs < lastingMs
      if (isSlow) this.#lasting.delete(endpointOf(request))
      this.#open.delete(request)
      this.#wake()
    }
    page.on('requestfinished', end)
    page.on('requestfailed', end)
  }

  /**
   * Waits for the requests that an action causes, directly or through other requests. Waits at most a second, or
   * `limitMs` if the page navigates.
   * @param sinceMs start of the action, from `performance.now()`
   */
  async settle(
    sinceMs: number,
    { limitMs, over }: { readonly limitMs: number; readonly over: Promise<unknown> },
  ): Promise<void> {
    const startMs = performance.now()
    const isOver = over.then(() => true)
    for (;;) {
      if (await Promise.race([this.#turn(), isOver])) return
      const open = [...this.#open].filter(([request, at]) => at >= sinceMs && !this.#lasting.has(endpointOf(request)))
      if (open.length === 0) return
      const isNewPage = open.some(([request]) => this.#bringsPage(request))
      const leftMs = startMs + (isNewPage ? Math.max(limitMs, maxSettleMs) : maxSettleMs) - performance.now()
      if (leftMs <= 0) {
        // Later waits may skip only a `GET`, because other requests change something on the server.
        for (const [request] of open)
          if (request.method() === 'GET' && !request.isNavigationRequest()) this.#lasting.add(endpointOf(request))
        return
      }
      await Promise.race([this.#change(leftMs), over])
    }
  }

  #bringsPage(request: Request): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
  }

  /** Waits until the page has handled its events, and so has sent the requests of an action. */
  async #turn(): Promise<false> {
    const turn = this.#page.evaluate(oneFrame).catch(() => undefined)
    await Promise.race([turn, sleep(maxSettleMs, undefined, { ref: false })])
    return false
  }

  #change(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const oneFrame =
  'new Promise((done) => { setTimeout(done, 100); requestAnimationFrame(() => setTimeout(done)) }).then(() => {})'

function endpointOf(request: Request): string {
  return `${request.method()} ${request.url().replace(/[?#].*$/s, '')}`
}
