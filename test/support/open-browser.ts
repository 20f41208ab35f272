import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the tests use of an element on a page of Playwright. */
interface Locator {
  fill(text: string): Promise<void>
  click(): Promise<void>
  waitFor(): Promise<void>
  first(): Locator
  last(): Locator
  innerText(): Promise<string>
  getAttribute(name: string): Promise<string | null>
}

/** What they use of a page. */
export interface Page {
  goto(url: string): Promise<unknown>
  getByPlaceholder(text: RegExp): Locator
  getByText(text: string): Locator
  locator(selector: string): Locator
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

const driverFile = fileURLToPath(new URL('../lanes/vitest-4/package.json', import.meta.url))
const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file))

/** Why there is no browser, where there is none. */
export const browserUnavailable = chromium === undefined ? 'no `chromium` on PATH' : undefined

/** Starts the browser of the system; it reaches 127.0.0.1 and nothing else. */
export async function openBrowser(): Promise<Browser> {
  const driver: Driver = createRequire(driverFile)('playwright')
  const browser = await driver.chromium.launch({
    executablePath: chromium ?? '',
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  return {
    openPage: () => browser.newPage({ viewport: { width: 1400, height: 900 } }),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
