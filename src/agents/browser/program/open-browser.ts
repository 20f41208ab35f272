import { renameSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { BrowserWatch } from './browser-watch.ts'
import { browserTools } from './browser-tools.ts'
import { playwrightServer, type PlaywrightServer } from '../playwright-server.ts'
import type { ServerTool, ToolOutput } from '../../../mcp/tool-call.ts'
import { openToolServer, type CallOptions } from './tool-server.ts'

/** A browser with one isolated context, driven through Playwright's MCP server. */
export interface Browser {
  /** What the model gets. */
  readonly tools: readonly ServerTool[]
  /** Aborted with an error once the browser or its server has died. */
  readonly lost: AbortSignal
  /** Once it is open, or lost; absent where it is open already. */
  readonly ready?: Promise<void>
  /** @throws {MdtestError} where they have */
  call(tool: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolOutput>
  /** Saves what is on the page into the folder for evidence. The name of the file, or nothing where that is impossible. */
  screenshot(name: string): Promise<string | undefined>
  /** Saves there what the console and the network have told since the start, the console where it has told more. */
  saveTraffic(name: string): Promise<void>
  /** Saves cookies and storage, absolute path. */
  saveStorageState(file: string): Promise<void>
  /** Ends the run for a reason that is not of the product. */
  giveUp(error: MdtestError): void
  close(): Promise<void>
}

/** Of the runner's own calls. */
const ownTimeoutMs = 10_000
/** The same before a page is left: who leaves one that hangs does not wait for it. */
const leavingTimeoutMs = 2_000

interface BrowserOptions extends Pick<PlaywrightServer, 'launch' | 'env' | 'evidenceDir'> {
  /** Absolute path: files below it can be uploaded. */
  readonly cwd: string
}

/**
 * Starts server and browser.
 * @throws {MdtestError} `AGENT_BROWSER_UNAVAILABLE` where the browser does not start.
 */
export async function openBrowser({ launch, env, cwd, evidenceDir }: BrowserOptions): Promise<Browser> {
  const ground = groundAt(join(evidenceDir, '../..'))
  makeFolder(ground, evidenceDir)
  const evidence = (name: string): string => join(evidenceDir, name)
  const watch = new BrowserWatch()
  const onClose = (): void => watch.lose("Playwright's MCP server")
  const playwright = playwrightServer({ launch, evidenceDir, filePaths: 'absolute', env })
  const place = { cwd: launch.home, workspace: cwd, env: {}, onClose }
  const server = await openToolServer(playwright, place)
  const call: Browser['call'] = async (tool, input, options) => {
    watch.check()
    const output = await server.call(tool, input, options).catch((error: unknown) => {
      watch.check()
      throw error
    })
    await watch.checkAfter(output)
    // The evidence as it is seen from the workspace.
    return { ...output, text: output.text.replaceAll(evidenceDir, relative(cwd, evidenceDir)) }
  }
  let isHung = false
  /** Nothing was opened yet: there is nothing to be seen. */
  let isBlank = true
  // A page that hangs may hold up the runner once, not with every file that it would like to keep.
  const own = async (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    timeoutMs = ownTimeoutMs,
  ): Promise<ToolOutput | undefined> => {
    if (isHung) return undefined
    return call(tool, input, { timeoutMs }).catch(() => {
      isHung = true
      return undefined
    })
  }
  /** Requests that failed on pages that were left: the server forgets them when an address is opened. */
  const left: string[] = []
  const listRequests = async (timeoutMs?: number): Promise<string> => {
    const output = await own('browser_network_requests', { static: true }, timeoutMs)
    return output?.isError === false ? resultIn(output.text) : ''
  }
  let savedMessages = ''
  /** Of all pages that the tab has shown, without the head, which counts those of the last one. */
  const listMessages = async (): Promise<string> => {
    const output = await own('browser_console_messages', { level: 'debug', all: true })
    return output?.isError === false ? (/\n\n([^]*)$/.exec(resultIn(output.text))?.[1] ?? '') : ''
  }
  const browser: Browser = {
    tools: browserTools,
    lost: watch.lost,
    async call(tool, input, options) {
      if (tool === 'browser_navigate' && !isBlank) left.push(...failedIn(await listRequests(leavingTimeoutMs)))
      const output = await call(tool, inputOf(tool, input), options)
      isHung = false
      const text = stripVTControlCharacters(output.text)
      const url = /^- Page URL: (.*)$/m.exec(text)?.[1]
      if (url !== undefined) isBlank = url === 'about:blank'
      return { ...output, text: capPage(text) }
    },
    async screenshot(name) {
      if (isBlank) return undefined
      const file = `${name}.jpg`
      const shot = await own('browser_take_screenshot', { type: 'jpeg', filename: evidence(file) })
      return shot?.isError === false ? file : undefined
    },
    async saveTraffic(name) {
      const messages = await listMessages()
      const isNew = messages !== savedMessages
      savedMessages = messages
      const network = [...left, await listRequests()].join('\n').trim()
      for (const [part, text] of Object.entries({ console: isNew ? messages : '', network })) {
        if (text === '') continue
        replaceFile(ground, evidence(`${name}.${part}.txt`), `${text}\n`)
      }
    },
    async saveStorageState(file) {
      const saved = evidence('storage-state.json')
      const output = await own('browser_storage_state', { filename: saved })
      if (output?.isError !== false) throw unsaved(output?.text)
      // Cookies are secrets: they do not stay with the evidence.
      renameSync(saved, file)
    },
    giveUp: (error) => watch.end(error),
    close() {
      watch[Symbol.dispose]()
      return server.close()
    },
  }
  await tryOut(browser)
  watch.begin(server.pid)
  return browser
}

/** `1. [GET] http://127.0.0.1/help => [404] Not Found` */
const failed = /=> \[(?:FAILED|[45]\d\d)\]/

function failedIn(requests: string): readonly string[] {
  return requests.split('\n').filter((line) => failed.test(line))
}

/** A server that starts proves nothing: the browser is started with the first tool. */
async function tryOut(browser: Browser): Promise<void> {
  const output = await browser.call('browser_navigate', { url: 'about:blank' }).catch(async (error: unknown) => {
    await browser.close().catch(nothing)
    throw error instanceof MdtestError ? error : unusable(String(error), error)
  })
  if (!output.isError) return
  await browser.close().catch(nothing)
  throw unusable(output.text)
}

function unsaved(text = 'the page hangs'): MdtestError {
  return new MdtestError('AGENT_LOGIN_FAILED', `Cookies and storage cannot be saved: ${firstLine(text)}`)
}

function unusable(text: string, cause?: unknown): MdtestError {
  return new MdtestError('AGENT_BROWSER_UNAVAILABLE', `The browser does not start: ${firstLine(text)}`, { cause })
}

function firstLine(text: string): string {
  return text.replace(/^#+ Error\s*/, '').split('\n')[0] ?? ''
}

/** A model may give what it was not shown: files in the workspace, or words that are printed again as those of the tool. */
function inputOf(tool: string, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { filename: _filename, ...rest } = input
  if (tool !== 'browser_take_screenshot') return { ...given[tool], ...rest }
  const { element: _element, ...shot } = rest
  return { ...given[tool], ...shot }
}

/** What Playwright requires and the model need not say. */
const given: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  browser_take_screenshot: { scale: 'css' },
  browser_console_messages: { level: 'info' },
  browser_network_requests: { static: false },
  browser_verify_value: { element: 'the field' },
  browser_verify_list_visible: { element: 'the list' },
}

/** The section with the answer. */
function resultIn(text: string): string {
  return /^### Result\n([\s\S]*?)(?=\n### |$(?![\s\S]))/m.exec(text)?.[1]?.trim() ?? ''
}

function nothing(): undefined {}

/** Longest snapshot of a page that is shown, in UTF-16 code units. */
const maxSnapshot = 60_000
/** The same of all that a call gives. */
const maxOutput = 80_000

const way =
  'Look at a part: browser_find with a text, browser_snapshot with a target or a depth, or a narrower question.'

/** What a call in a browser gave, without what no model can take: some pages are larger than all that it may read. */
function capPage(text: string): string {
  if (text.length <= maxSnapshot) return text
  const capped = text.replace(/```yaml\n([\s\S]*?)\n```/g, (whole, snapshot: string) =>
    snapshot.length <= maxSnapshot
      ? whole
      : `\`\`\`yaml\n${cut(snapshot, maxSnapshot)}\n\`\`\`\n${told(snapshot, maxSnapshot)}`,
  )
  return capped.length <= maxOutput ? capped : `${cut(capped, maxOutput)}\n${told(capped, maxOutput)}`
}

/** At the end of a line, where there is one. */
function cut(text: string, length: number): string {
  const end = text.lastIndexOf('\n', length)
  return text.slice(0, end > length / 2 ? end : length)
}

function told({ length }: string, shown: number): string {
  return `(${kilobytes(length)} kB, of which the first ${kilobytes(shown)} are shown. ${way})`
}

function kilobytes(length: number): number {
  return Math.round(length / 1000)
}
