/** The parts of Playwright in use. Users install Playwright themselves, so its own types are not available here. */
export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> }
}

export interface Browser {
  newContext(options: object): Promise<Context>
  close(): Promise<void>
  on(event: 'disconnected', listener: () => void): unknown
}

export interface Context {
  newPage(): Promise<Page>
}

export interface Page {
  goto(url: string, options: object): Promise<unknown>
  url(): string
  ariaSnapshot(options: { readonly timeout: number; readonly mode: 'default' | 'ai' }): Promise<string>
  evaluate(expression: string): Promise<unknown>
  mainFrame(): object
  setDefaultTimeout(timeoutMs: number): void
  setDefaultNavigationTimeout(timeoutMs: number): void
  listenerCount(event: string): number
  on(event: 'request' | 'requestfinished' | 'requestfailed', listener: (request: Request) => void): unknown
  on(event: 'dialog', listener: (dialog: Dialog) => void): unknown
  on(event: 'filechooser', listener: (chooser: FileChooser) => void): unknown
  on(event: 'popup', listener: (page: Page) => void): unknown
  on(event: 'close' | 'crash', listener: () => void): unknown
}

export interface FileChooser {
  setFiles(files: readonly string[]): Promise<void>
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
