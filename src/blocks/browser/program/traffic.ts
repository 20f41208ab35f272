import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from './playwright.ts'

const maxSettleMs = 1000

/** Who answers sooner is slow, and no long poll, in milliseconds. */
const lastingMs = 3000

/** What a page is made of and what its code asks for; pictures and the like show up when they may. */
const awaited: ReadonlySet<string> = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])

/**
 * The open requests of a page. What is read for long (long polling, a stream) is not waited for again: it would cost the
 * whole limit with each action.
 */
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
   * Waits until what an action set off has arrived, and what that set off: at most a second, but for a new page, which
   * takes the place of this one, `limitMs`.
   *
   * @param sinceMs when the action began, as `performance.now()` tells it
   */
  async settle(
    sinceMs: number,
    { limitMs, over }: { readonly limitMs: number; readonly over: Promise<unknown> },
  ): Promise<void> {
    const startMs = performance.now()
    let isOver = false
    void over.then(() => {
      isOver = true
      this.#wake()
    })
    for (;;) {
      await Promise.race([this.#turn(), over])
      if (isOver) return
      const open = [...this.#open].filter(([request, at]) => at >= sinceMs && !this.#lasting.has(endpointOf(request)))
      if (open.length === 0) return
      const isNewPage = open.some(([request]) => this.#bringsPage(request))
      const leftMs = startMs + (isNewPage ? Math.max(limitMs, maxSettleMs) : maxSettleMs) - performance.now()
      if (leftMs <= 0) {
        for (const [request] of open) if (isRead(request)) this.#lasting.add(endpointOf(request))
        return
      }
      await this.#change(leftMs)
    }
  }

  #bringsPage(request: Request): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
  }

  /** What waits in the page's queue has its turn: then it is known what the action set off. */
  async #turn(): Promise<void> {
    const turn = this.#page.evaluate(oneFrame).catch(() => undefined)
    await Promise.race([turn, sleep(maxSettleMs, undefined, { ref: false })])
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

/** What changes something is waited for each time. */
function isRead(request: Request): boolean {
  return request.method() === 'GET' && !request.isNavigationRequest()
}

function endpointOf(request: Request): string {
  return `${request.method()} ${request.url().replace(/[?#].*$/s, '')}`
}
