import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { withResolvers } from '../../../system/slots-and-timers.ts'
import { pageLines } from '../../../spec/browser/page-lines.ts'
import { Fault } from './fault.ts'
import type { Dialog, FileChooser, Page } from 'playwright-core'
import { Traffic } from './traffic.ts'

export class BlockPage {
  readonly page: Page
  readonly #traffic: Traffic
  #dialog: Dialog | undefined
  #dialogOpened = withResolvers<undefined>()
  /** The last action. If the action opened a dialog, `answerDialog` waits for the action's end. */
  #held: Promise<unknown> = Promise.resolve()
  #chooser = withResolvers<FileChooser>()
  #otherTab: Page | undefined
  /** Why the page can no longer be used. */
  end: string | undefined

  constructor(page: Page) {
    this.page = page
    this.#traffic = new Traffic(page)
    // Do not handle dialogs or tabs for which the block has its own listener.
    const listeners = page as unknown as Pick<EventEmitter, 'listenerCount'> // not in Playwright's types
    page.on('dialog', (dialog) => {
      if (listeners.listenerCount('dialog') > 1) return
      this.#dialog = dialog
      this.#dialogOpened.resolve(undefined)
    })
    page.on('popup', (other) => {
      if (listeners.listenerCount('popup') === 1) this.#otherTab = other
    })
    page.on('filechooser', (chooser) => this.#chooser.resolve(chooser))
    page.on('close', () => (this.end ??= 'The page was closed.'))
    page.on('crash', () => (this.end = 'The page crashed.'))
  }

  assertReady(): void {
    if (this.end !== undefined) throw new Fault('page', this.end)
    if (this.#otherTab !== undefined) {
      const wayOut = "Await it with `page.waitForEvent('popup')`, or open its address with `page.goto`."
      throw new Fault('page', `Another tab was opened, \`${this.#otherTab.url()}\`. ${wayOut}`)
    }
    if (this.#dialog === undefined) return
    const asks = `The page asks "${this.#dialog.message()}" (${this.#dialog.type()}).`
    const wayOut = 'Answer with `await dialog.accept()` or `await dialog.dismiss()` in the next line.'
    throw new Fault('page', `${asks} ${wayOut}`)
  }

  assertOpen(): void {
    if (this.page.url() !== 'about:blank') return
    throw new Fault('page', 'No page is open yet. Begin with `page.goto` and an address.')
  }

  /** Waits until an action is over and the page has reacted to it, or until the page shows a dialog. */
  async settle<T>(action: Promise<T>, limitMs: number): Promise<T | undefined> {
    const sinceMs = performance.now()
    // Prevents an unhandled rejection. If a dialog opens, the call that answers the dialog gets the error.
    action.catch(() => undefined)
    this.assertReady()
    this.#held = action
    const result = await Promise.race([action, this.#dialogOpened.promise])
    if (this.#dialog !== undefined) return undefined
    await this.#traffic.settle(sinceMs, { limitMs, over: this.#dialogOpened.promise })
    if (this.end !== undefined || this.#otherTab !== undefined) this.assertReady()
    return result
  }

  async answerDialog(answer: (dialog: Dialog) => Promise<void>, limitMs: number): Promise<void> {
    if (this.#dialog === undefined) await Promise.race([this.#dialogOpened.promise, sleep(limitMs)])
    const dialog = this.#dialog
    if (dialog === undefined) throw new Fault('page', 'There is no dialog: the page asks nothing.')
    this.#dialog = undefined
    this.#dialogOpened = withResolvers<undefined>()
    await answer(dialog)
    await this.settle(this.#held, limitMs)
  }

  async chooseFiles(files: readonly string[], limitMs: number): Promise<void> {
    const chooser = await Promise.race([this.#chooser.promise, sleep(limitMs)])
    if (chooser === undefined) throw new Fault('page', 'The page asks for no files.')
    this.#chooser = withResolvers<FileChooser>()
    await this.settle(chooser.setFiles(files), limitMs)
  }

  async lines(timeout: number): Promise<readonly string[]> {
    const look = Promise.all([
      this.page.ariaSnapshot({ mode: 'default', timeout }),
      this.page.ariaSnapshot({ mode: 'ai', timeout }),
    ])
    look.catch(() => undefined)
    this.assertReady()
    const snapshots = await Promise.race([look, this.#dialogOpened.promise])
    if (snapshots === undefined) this.assertReady()
    return [...new Set((snapshots ?? []).flatMap((snapshot) => pageLines(snapshot)))]
  }

  async passwords(): Promise<readonly string[]> {
    const found = await this.page.evaluate(passwordsInPage).catch(() => [])
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  }
}

const passwordsInPage =
  "[...document.querySelectorAll('input[type=password]')].map((one) => one.value).filter((value) => value !== '')"
