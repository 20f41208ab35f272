import { InMemoryTransport } from '@modelcontextprotocol/client'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { McpSession, type ServerTool, type ToolCall, type ToolOutput } from '../../../mcp/mcp-session.ts'
import { groundAt, type Ground } from '../../../system/files/trusted-folder.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { playwrightMcp } from '../playwright-package.ts'
import type { BrowserPlace } from '../browser-settings.ts'
import type { BrowserContext, Page } from 'playwright-core'
import type { Secrets } from './secrets.ts'

export type Input = Readonly<Record<string, unknown>>

type CallOptions = Pick<ToolCall, 'signal' | 'timeoutMs'>

const ownTimeoutMs = 10_000
/** Limit for mdtest's calls just before a page is left: a hung page must not delay the next page. */
const leavingTimeoutMs = 2_000

/** A browser tool of mdtest itself. An error of `run` becomes the tool's answer to the model. */
export interface OwnTool extends ServerTool {
  run(input: Input, user: UserBrowser, signal: AbortSignal | undefined): Promise<ToolOutput>
}

export function textOutput(text: string, isError = false): ToolOutput {
  return { text, parts: [], isError }
}

type UserPlace = Pick<BrowserPlace, 'evidenceDir' | 'cwd' | 'launch'> & { readonly secrets: Secrets }

/** The browser of one user, with its own cookies, storage and tabs, controlled by Playwright's MCP server. */
export class UserBrowser {
  readonly #place: UserPlace
  readonly #ground: Ground
  readonly #context: BrowserContext
  readonly #session: McpSession
  /** Whether a call by mdtest itself timed out. mdtest then skips such calls, because each would time out. */
  #isHung = false
  #isBlank = true
  /** Failed requests of earlier pages. Kept here, because the server forgets them when another page is opened. */
  readonly #left: string[] = []
  #savedMessages = ''

  private constructor(place: UserPlace, context: BrowserContext, session: McpSession) {
    this.#place = place
    this.#ground = groundAt(join(place.evidenceDir, '../..'))
    this.#context = context
    this.#session = session
    makeFolder(this.#ground, place.evidenceDir)
    context.on('page', (page) => {
      place.secrets.guard(page)
      page.on('download', (download) => {
        const file = this.#evidence(basename(download.suggestedFilename()))
        download.saveAs(file).catch(() => undefined) // The download was canceled, or its tab is closed.
      })
    })
  }

  static async open(context: BrowserContext, place: UserPlace): Promise<UserBrowser> {
    const connection = await playwrightMcp().createConnection(
      {
        browser: { browserName: 'chromium' },
        capabilities: ['testing', 'storage'],
        // Files that the server writes may contain page content, so they are deleted with the scenario's folder.
        outputDir: outputOf(place),
        filePaths: 'absolute',
        // By default each action writes a snapshot to a file, which the model cannot read.
        snapshot: { mode: 'none' },
        // `idle: 0` keeps an unused browser open: blocks between two steps may take long.
        timeouts: { action: 5000, navigation: 20_000, idle: 0 },
      },
      async () => context,
    )
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await connection.connect(theirs)
    return new UserBrowser(place, context, await McpSession.open(ours, { workspaces: [place.cwd, place.evidenceDir] }))
  }

  /** Calls a tool of Playwright's. @throws Error if no answer comes */
  async call(tool: string, input: Input, options: CallOptions = {}): Promise<ToolOutput> {
    if (tool === 'browser_navigate' && !this.#isBlank)
      this.#left.push(
        ...(await this.#requests(leavingTimeoutMs)).split('\n').filter((line) => failedRequest.test(line)),
      )
    const output = await this.#ask(tool, inputOf(tool, input), options)
    this.#isHung = false
    const url = /^- Page URL: (.*)$/m.exec(output.text)?.[1]
    if (url !== undefined) this.#isBlank = url === 'about:blank'
    return { ...output, text: cap(output.text) }
  }

  /** Saves a screenshot as evidence. Returns the name of the file; `undefined` if no screenshot could be taken. */
  async screenshot(name: string): Promise<string | undefined> {
    if (this.#isBlank) return undefined
    const file = `${name}.jpg`
    const shot = await this.#own('browser_take_screenshot', { type: 'jpeg', filename: this.#evidence(file) })
    return shot?.isError === false ? file : undefined
  }

  /** Saves all network requests since the start, and the console if it has new messages. */
  async saveTraffic(name: string): Promise<void> {
    const told = resultIn(await this.#own('browser_console_messages', { level: 'debug', all: true }))
    // Drop the heading: it counts only messages of the last page.
    const messages = /\n\n([^]*)$/.exec(told)?.[1] ?? ''
    const console = messages === this.#savedMessages ? '' : messages
    this.#savedMessages = messages
    const network = [...this.#left, await this.#requests()].join('\n').trim()
    for (const [part, text] of Object.entries({ console, network }))
      if (text !== '') replaceFile(this.#ground, this.#evidence(`${name}.${part}.txt`), `${text}\n`)
  }

  async page(): Promise<Page> {
    const pages = this.#context.pages()
    const tabs = pages.length === 1 ? '' : resultIn(await this.#own('browser_tabs', { action: 'list' }))
    const page = pages[Number(/^- (\d+): \(current\)/m.exec(tabs)?.[1] ?? 0)]
    if (page === undefined) throw new Error('no page is open')
    return page
  }

  /** Playwright code that locates the element, without the leading `page.` */
  async codeOf(target: string): Promise<string> {
    return resultIn(await this.#own('browser_generate_locator', { target }))
  }

  /** Saves cookies and storage. If the page hangs, the file stays as it is. */
  async saveStorageState(file: string): Promise<void> {
    const saved = this.#context.storageState({ path: file }).catch(() => undefined)
    await Promise.race([saved, sleep(ownTimeoutMs, undefined, { ref: false })])
  }

  async #ask(tool: string, input: Input, options: CallOptions): Promise<ToolOutput> {
    const answer = await this.#session.call({ tool, input, ...options })
    const text = stripVTControlCharacters(answer.text).replaceAll(`${outputOf(this.#place)}/`, '')
    return { ...answer, text: this.#place.secrets.redact(text) }
  }

  async #own(tool: string, input: Input, timeoutMs = ownTimeoutMs): Promise<ToolOutput | undefined> {
    if (this.#isHung) return undefined
    return this.#ask(tool, input, { timeoutMs }).catch(() => {
      this.#isHung = true
      return undefined
    })
  }

  async #requests(timeoutMs?: number): Promise<string> {
    return resultIn(await this.#own('browser_network_requests', { static: true }, timeoutMs))
  }

  #evidence(name: string): string {
    return join(this.#place.evidenceDir, name)
  }
}
function outputOf({ launch }: Pick<UserPlace, 'launch'>): string {
  return join(launch.home, 'out')
}

/** `1. [GET] http://127.0.0.1/help => [404] Not Found` */
const failedRequest = /=> \[(?:FAILED|[45]\d\d)\]/

/** Drops `filename` and `element`: mdtest does not offer these arguments to models. */
function inputOf(tool: string, { filename: _filename, element: _element, ...rest }: Input): Input {
  return { ...given[tool], ...rest }
}

const given: Readonly<Record<string, Input>> = {
  browser_take_screenshot: { scale: 'css' },
  browser_console_messages: { level: 'info' },
  browser_network_requests: { static: false },
  browser_verify_value: { element: 'the field' },
  browser_verify_list_visible: { element: 'the list' },
}

function resultIn(output: ToolOutput | undefined): string {
  if (output?.isError !== false) return ''
  return /^### Result\n([\s\S]*?)(?=\n### |$(?![\s\S]))/m.exec(output.text)?.[1]?.trim() ?? ''
}

/** Longest output for the model, in UTF-16 code units: some pages exceed the model's context window. */
const maxShown = 60_000

function cap(text: string): string {
  if (text.length <= maxShown) return text
  const end = text.lastIndexOf('\n', maxShown)
  const shown = text.slice(0, end > maxShown / 2 ? end : maxShown)
  const isInSnapshot = shown.lastIndexOf('```yaml\n') > shown.lastIndexOf('\n```\n')
  const sizes = `${Math.round(text.length / 1000)} kB, of which the first ${maxShown / 1000} are shown`
  return `${shown}${isInSnapshot ? '\n```' : ''}\n(${sizes}. Look at a part: browser_find with a text, browser_snapshot with a target or a depth, or a narrower question.)`
}
