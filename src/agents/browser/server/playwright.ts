/** The parts of Playwright that mdtest uses. Playwright's own types cannot be imported: users install the package. */
export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Chromium> }
}

export interface Chromium {
  newContext(options: object): Promise<Context>
  on(event: 'disconnected', listener: () => void): unknown
  close(): Promise<void>
}

export interface Context {
  pages(): readonly Page[]
  newPage(): Promise<Page>
  on(event: 'page', listener: (page: Page) => void): unknown
  /** @param options `path`: file to write the state to */
  storageState(options?: { readonly path: string }): Promise<Readonly<Record<'cookies' | 'origins', readonly object[]>>>
}

export interface Page {
  goto(url: string): Promise<unknown>
  on(event: 'close', listener: () => void): unknown
  on(event: 'download', listener: (download: Download) => void): unknown
  screenshot(options?: object): Promise<unknown>
  frames(): readonly Frame[]
  locator(selector: string): Locator
}

export interface Download {
  suggestedFilename(): string
  saveAs(path: string): Promise<void>
}

export interface Frame extends Pick<Page, 'locator'> {
  url(): string
  parentFrame(): Frame | null
  getByText(text: string): Locator
}

export interface Locator {
  and(other: Locator): Locator
  count(): Promise<number>
  elementHandle(options: object): Promise<ElementHandle>
}

export interface ElementHandle {
  ownerFrame(): Promise<Frame | null>
  fill(value: string, options: object): Promise<void>
  focus(): Promise<void>
}

/** The main module of Playwright's MCP server. */
export interface PlaywrightMcp {
  /** @param context called with the first tool call */
  createConnection(
    config: object,
    context: () => Promise<Context>,
  ): Promise<{ connect(transport: object): Promise<void> }>
}
