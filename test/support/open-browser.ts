import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** What the tests use of an element on a page of Playwright. */
interface Locator {
  fill(text: string): Promise<void>
  click(): Promise<void>
  waitFor(): Promise<void>
  first(): Locator
  last(): Locator
  innerText(): Promise<string>
  getAttribute(name: string): Promise<string | null>
  count(): Promise<number>
  isVisible(): Promise<boolean>
}

/** What they use of a page. */
export interface Page {
  goto(url: string): Promise<unknown>
  getByPlaceholder(text: RegExp): Locator
  getByText(text: string): Locator
  locator(selector: string): Locator
  /** Runs code in the page, which needs none of its scripts. */
  evaluate(expression: string): Promise<unknown>
  emulateMedia(media: { colorScheme?: 'light' | 'dark'; media?: 'print' | 'screen' }): Promise<void>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>
  readonly keyboard: { press(key: string): Promise<void> }
  on(event: 'pageerror' | 'dialog' | 'console', listener: (event: unknown) => void): unknown
  close(): Promise<void>
}

/** A real browser without a window. */
export interface Browser extends AsyncDisposable {
  openPage(): Promise<Page>
}

interface Driver {
  readonly chromium: {
    launch(options: { executablePath: string; args: readonly string[] }): Promise<{
      newPage(options: { viewport: { width: number; height: number } }): Promise<Page>
      close(): Promise<void>
    }>
  }
}

const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file))

/** Why there is no browser, where there is none. */
export const browserUnavailable = chromium === undefined ? 'no `chromium` on PATH' : undefined

/** Starts the browser of the system; it reaches 127.0.0.1 and nothing else. */
export async function openBrowser(): Promise<Browser> {
  const driver: Driver = createRequire(import.meta.url)('playwright-core')
  const browser = await driver.chromium.launch({
    executablePath: chromium ?? '',
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  return {
    openPage: () => browser.newPage({ viewport: { width: 1400, height: 900 } }),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
