import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../system/error-facts.ts'
import type { BrowserAction, BrowserReply, BrowserRequest, FoundBy } from '../browser-protocol.ts'
import { describeFault, ReplyError } from './describe-fault.ts'
import { type Context, type Dialog, type Page, type Locator } from './playwright.ts'
import { Traffic } from './traffic.ts'
import { withResolvers } from '../../../system/concurrency.ts'

/** One page and what it is up to. */
export class PageDriver {
  readonly #page: Page
  readonly #traffic: Traffic
  #dialog: Dialog | undefined
  #dialogOpened = withResolvers<undefined>()
  /** What goes on once the dialog is answered. */
  #held: Promise<unknown> = Promise.resolve()
  #otherTab: Page | undefined
  #end: string | undefined

  private constructor(page: Page, context: Context) {
    this.#page = page
    this.#traffic = new Traffic(page)
    page.on('dialog', (dialog) => {
      this.#dialog = dialog
      this.#dialogOpened.resolve(undefined)
    })
    page.on('close', () => (this.#end ??= 'The page was closed.'))
    page.on('crash', () => (this.#end = 'The page crashed.'))
    context.on('page', (other) => (this.#otherTab = other))
  }

  static async open(context: Context): Promise<PageDriver> {
    return new PageDriver(await context.newPage(), context)
  }

  /** Carries out what is asked for. Never throws. */
  async answer(request: BrowserRequest): Promise<BrowserReply> {
    try {
      this.#assertReady(request)
      if (request.kind === 'look') return await this.#look(request)
      await this.#carryOut(request, request.timeoutMs)
      return this.#done([])
    } catch (error: unknown) {
      if (error instanceof ReplyError) return error.reply
      if (this.#end !== undefined) return { ok: false, what: 'page', message: this.#end }
      return describeFault(error, request, (control) => findControl(this.#page, control).count())
    }
  }

  #done(snapshots: readonly string[]): BrowserReply {
    return { ok: true, url: this.#page.url(), snapshots }
  }

  #assertReady({ kind }: BrowserRequest): void {
    if (this.#end !== undefined) throw new ReplyError(this.#end)
    if (this.#otherTab !== undefined)
      throw new ReplyError(
        `Another tab was opened, \`${this.#otherTab.url()}\`. A \`browser\` block works in one: open the address with \`goto\`.`,
      )
    if (this.#dialog !== undefined && kind !== 'dialog') throw new ReplyError(describeDialog(this.#dialog))
    if (kind !== 'goto' && kind !== 'dialog' && this.#page.url() === 'about:blank')
      throw new ReplyError('No page is open yet. Begin with `goto` and an address.')
  }

  /** Until the page is what it will be, or asks something. */
  async #carryOut(action: BrowserAction, timeoutMs: number): Promise<void> {
    const sinceMs = performance.now()
    if (action.kind === 'dialog') await this.#answerDialog(action, timeoutMs)
    else {
      this.#dialogOpened = withResolvers<undefined>()
      this.#held = this.#act(action, timeoutMs)
    }
    // Whoever answers the dialog hears what went wrong.
    this.#held.catch(() => undefined)
    const over = this.#dialogOpened.promise
    await Promise.race([this.#held, over])
    if (this.#dialog === undefined) await this.#traffic.settle(sinceMs, { limitMs: timeoutMs, over })
    if (this.#otherTab !== undefined) this.#assertReady({ kind: 'look', page: 'spec', timeoutMs })
  }

  async #answerDialog({ accepts, text }: Extract<BrowserAction, { kind: 'dialog' }>, timeoutMs: number): Promise<void> {
    if (this.#dialog === undefined) await Promise.race([this.#dialogOpened.promise, sleep(timeoutMs)])
    const dialog = this.#dialog
    if (dialog === undefined) throw new ReplyError('There is no dialog: the page asks nothing.')
    this.#dialog = undefined
    this.#dialogOpened = withResolvers<undefined>()
    await (accepts ? dialog.accept(text) : dialog.dismiss())
  }

  #act(action: Exclude<BrowserAction, { kind: 'dialog' }>, timeout: number): Promise<unknown> {
    const page = this.#page
    const navigation = { timeout, waitUntil: 'domcontentloaded' } as const // literal value
    switch (action.kind) {
      case 'goto':
        return openPage(page, action.url, navigation)
      case 'history':
        if (action.move === 'reload') return page.reload(navigation)
        return action.move === 'back' ? page.goBack(navigation) : page.goForward(navigation)
      case 'press':
        return action.control === undefined
          ? page.keyboard.press(action.key)
          : findControl(page, action.control).press(action.key, { timeout })
      case 'drag':
        return findControl(page, action.control).dragTo(findControl(page, action.to), { timeout })
      case 'act':
        return this.#actOn(action, timeout)
      default:
        return action satisfies never
    }
  }

  #actOn({ verb, control, values }: Extract<BrowserAction, { kind: 'act' }>, timeout: number): Promise<unknown> {
    const found = findControl(this.#page, control)
    const limit = { timeout }
    const [value = ''] = values
    switch (verb) {
      case 'click':
        return found.click(limit)
      case 'right-click':
        return found.click({ ...limit, button: 'right' })
      case 'double-click':
        return found.dblclick(limit)
      case 'hover':
      case 'check':
      case 'uncheck':
      case 'focus':
        return found[verb](limit)
      case 'fill':
        return found.fill(value, limit)
      case 'type':
        return found.pressSequentially(value, limit)
      case 'select':
        return found.selectOption(values, limit)
      case 'upload':
        return this.#upload(control, values, timeout)
      default:
        return verb satisfies never
    }
  }

  /** Into the control itself, or into what a click on it asks for. */
  async #upload(control: FoundBy, files: readonly string[], timeout: number): Promise<void> {
    const found = findControl(this.#page, control)
    const isInput = await found.evaluate<boolean>(
      "(one) => one instanceof HTMLInputElement && one.type === 'file'",
      undefined,
      { timeout },
    )
    if (isInput) return found.setInputFiles(files, { timeout })
    const [chooser] = await Promise.all([this.#page.waitForEvent('filechooser', { timeout }), found.click({ timeout })])
    await chooser.setFiles(files, { timeout })
  }

  async #look({
    timeoutMs: timeout,
    withPasswords = false,
  }: Extract<BrowserRequest, { kind: 'look' }>): Promise<BrowserReply> {
    const look = Promise.all([
      this.#page.ariaSnapshot({ mode: 'default', timeout }),
      this.#page.ariaSnapshot({ mode: 'ai', timeout }),
    ])
    look.catch(() => undefined)
    this.#dialogOpened = withResolvers<undefined>()
    const snapshots = await Promise.race([look, this.#dialogOpened.promise])
    if (snapshots === undefined && this.#dialog !== undefined) throw new ReplyError(describeDialog(this.#dialog))
    const reply = this.#done(snapshots ?? [])
    const isWanted = withPasswords && reply.ok && snapshots !== undefined
    return isWanted ? { ...reply, passwords: await this.#passwords() } : reply
  }

  async #passwords(): Promise<readonly string[]> {
    const found = await this.#page.evaluate(passwordsInPage).catch(() => [])
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  }
}

const passwordsInPage =
  "[...document.querySelectorAll('input[type=password]')].map((one) => one.value).filter((value) => value !== '')"

/** Another page that is under way, an error page for example, comes first, and so may the first try itself. */
async function openPage(page: Page, url: string, navigation: Parameters<Page['goto']>[1]): Promise<unknown> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      return await page.goto(url, navigation)
    } catch (error: unknown) {
      if (triesLeft === 0 || !/interrupted by another navigation/.test(messageOf(error))) throw error
      await sleep(50)
    }
  }
}

function describeDialog(dialog: Dialog): string {
  return `The page asks "${dialog.message()}" (${dialog.type()}). Answer with \`accept dialog\` or \`dismiss dialog\` in the next line.`
}

/** What Playwright calls a control. */
function findControl(page: Page, control: FoundBy): Locator {
  const { hasText, within } = control
  const found = findBase(within === undefined ? page : findControl(page, within), control)
  return hasText === undefined ? found : found.filter({ hasText })
}

function findBase(place: Page | Locator, { by, role = '', name, isExact = false }: FoundBy): Locator {
  const options = { exact: isExact }
  const text = name ?? ''
  switch (by) {
    case 'role':
      return place.getByRole(role, { ...options, ...(name !== undefined && { name }) })
    case 'testid':
      return place.getByTestId(text)
    case 'label':
      return place.getByLabel(text, options)
    case 'placeholder':
      return place.getByPlaceholder(text, options)
    case 'text':
      return place.getByText(text, options)
    case 'alt':
      return place.getByAltText(text, options)
    case 'title':
      return place.getByTitle(text, options)
    default:
      return by satisfies never
  }
}
