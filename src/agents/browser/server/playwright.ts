/** What is used of Playwright, which is the user's: its types are not ours. */
export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Chromium> }
}

export interface Chromium {
  newContext(options: object): Promise<Context>
  isConnected(): boolean
  on(event: 'disconnected', listener: () => void): unknown
  close(): Promise<void>
}

export interface Context {
  storageState(options: { readonly path: string }): Promise<unknown>
}

/** The main module of Playwright's MCP server. */
export interface PlaywrightMcp {
  /** @param context is asked for with the first call of a tool */
  createConnection(
    config: object,
    context: () => Promise<Context>,
  ): Promise<{ connect(transport: object): Promise<void> }>
}
