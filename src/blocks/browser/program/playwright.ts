/** What is used of Playwright, which is the user's: its types are not ours. */
export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> }
}

export interface Browser {
  newContext(options: object): Promise<Context>
  on(event: 'disconnected', listener: () => void): unknown
  close(): Promise<void>
}

export interface Context {
  newPage(): Promise<Page>
  on(event: 'page', listener: (page: Page) => void): unknown
}

interface Finder {
  getByRole(role: string, options: { readonly name?: string; readonly exact?: boolean }): Locator
  getByTestId(text: string): Locator
  getByLabel(text: string, options: Exactness): Locator
  getByPlaceholder(text: string, options: Exactness): Locator
  getByText(text: string, options: Exactness): Locator
  getByAltText(text: string, options: Exactness): Locator
  getByTitle(text: string, options: Exactness): Locator
}

interface Exactness {
  readonly exact: boolean
}

interface Limit {
  readonly timeout: number
}

export interface Locator extends Finder {
  filter(options: { readonly hasText: string }): Locator
  count(): Promise<number>
  click(options: Limit & { readonly button?: 'right' }): Promise<void>
  dblclick(options: Limit): Promise<void>
  hover(options: Limit): Promise<void>
  check(options: Limit): Promise<void>
  uncheck(options: Limit): Promise<void>
  focus(options: Limit): Promise<void>
  fill(text: string, options: Limit): Promise<void>
  pressSequentially(text: string, options: Limit): Promise<void>
  press(key: string, options: Limit): Promise<void>
  selectOption(values: readonly string[], options: Limit): Promise<unknown>
  setInputFiles(files: readonly string[], options: Limit): Promise<void>
  dragTo(target: Locator, options: Limit): Promise<void>
  evaluate<T>(expression: string, argument: undefined, options: Limit): Promise<T>
}

export interface Page extends Finder {
  goto(url: string, options: Navigation): Promise<unknown>
  goBack(options: Navigation): Promise<unknown>
  goForward(options: Navigation): Promise<unknown>
  reload(options: Navigation): Promise<unknown>
  url(): string
  ariaSnapshot(options: Limit & { readonly mode: 'default' | 'ai' }): Promise<string>
  evaluate(expression: string): Promise<unknown>
  mainFrame(): object
  readonly keyboard: { press(key: string): Promise<void> }
  waitForEvent(event: 'filechooser', options: Limit): Promise<FileChooser>
  on(event: 'request' | 'requestfinished' | 'requestfailed', listener: (request: Request) => void): unknown
  on(event: 'dialog', listener: (dialog: Dialog) => void): unknown
  on(event: 'close' | 'crash', listener: () => void): unknown
}

interface Navigation extends Limit {
  readonly waitUntil: 'domcontentloaded'
}

interface FileChooser {
  setFiles(files: readonly string[], options: Limit): Promise<void>
}

export interface Request {
  resourceType(): string
  isNavigationRequest(): boolean
  frame(): object
  method(): string
  url(): string
}

export interface Dialog {
  type(): string
  message(): string
  accept(text?: string): Promise<void>
  dismiss(): Promise<void>
}
