import { renameSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ToolOutput } from '../../../mcp/mcp-session.ts'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { playwrightServer, type PlaywrightServer } from '../playwright-server.ts'
import type { BrowserWatch } from './browser-watch.ts'
import { openToolServer, type CallOptions } from './tool-servers.ts'

type Input = Readonly<Record<string, unknown>>

export interface Browser {
  call(tool: string, input: Input, options?: CallOptions): Promise<ToolOutput>
  /** Saves what is on the page as evidence; gives the name of the file, or nothing where that is impossible. */
  screenshot(name: string): Promise<string | undefined>
  /** Saves what network and console have told since the start, the console where it has told more. */
  saveTraffic(name: string): Promise<void>
  saveStorageState(file: string): Promise<void>
  close(): Promise<void>
}

const ownTimeoutMs = 10_000
/** Who leaves a page that hangs does not wait for it. */
const leavingTimeoutMs = 2_000

interface BrowserOptions extends Pick<PlaywrightServer, 'launch' | 'env' | 'evidenceDir'> {
  /** Absolute path: files below it can be uploaded. */
  readonly cwd: string
  readonly watch: BrowserWatch
}

/** Starts server and browser. @throws {MdtestError} `AGENT_BROWSER_UNAVAILABLE` where the browser does not start. */
export async function openBrowser({ launch, env, cwd, evidenceDir, watch }: BrowserOptions): Promise<Browser> {
  const ground = groundAt(join(evidenceDir, '../..'))
  makeFolder(ground, evidenceDir)
  const evidence = (name: string): string => join(evidenceDir, name)
  const onClose = (): void => watch.lose("Playwright's MCP server")
  const playwright = playwrightServer({ launch, evidenceDir, filePaths: 'absolute', env })
  const server = await openToolServer(playwright, { cwd: launch.home, workspace: cwd, env: {}, onClose })
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
  // A page that hangs may hold up the runner once, not with every file that it would like to keep.
  let isHung = false
  const own = async (tool: string, input: Input, timeoutMs = ownTimeoutMs): Promise<ToolOutput | undefined> => {
    if (isHung) return undefined
    return call(tool, input, { timeoutMs }).catch(() => {
      isHung = true
      return undefined
    })
  }
  const listRequests = async (timeoutMs?: number): Promise<string> =>
    resultIn(await own('browser_network_requests', { static: true }, timeoutMs))
  let isBlank = true
  /** Requests that failed on pages that were left: the server forgets them when an address is opened. */
  const left: string[] = []
  let savedMessages = ''
  const browser: Browser = {
    async call(tool, input, options) {
      if (tool === 'browser_navigate' && !isBlank)
        left.push(...(await listRequests(leavingTimeoutMs)).split('\n').filter((line) => failedRequest.test(line)))
      const output = await call(tool, inputOf(tool, input), options)
      isHung = false
      const text = stripVTControlCharacters(output.text)
      const url = /^- Page URL: (.*)$/m.exec(text)?.[1]
      if (url !== undefined) isBlank = url === 'about:blank'
      return { ...output, text: cap(text) }
    },
    async screenshot(name) {
      if (isBlank) return undefined
      const file = `${name}.jpg`
      const shot = await own('browser_take_screenshot', { type: 'jpeg', filename: evidence(file) })
      return shot?.isError === false ? file : undefined
    },
    async saveTraffic(name) {
      const told = resultIn(await own('browser_console_messages', { level: 'debug', all: true }))
      // Of all pages that the tab has shown, without the head, which counts those of the last one.
      const messages = /\n\n([^]*)$/.exec(told)?.[1] ?? ''
      const console = messages === savedMessages ? '' : messages
      savedMessages = messages
      const network = [...left, await listRequests()].join('\n').trim()
      for (const [part, text] of Object.entries({ console, network }))
        if (text !== '') replaceFile(ground, evidence(`${name}.${part}.txt`), `${text}\n`)
    },
    async saveStorageState(file) {
      const saved = evidence('storage-state.json')
      const output = await own('browser_storage_state', { filename: saved })
      if (output?.isError !== false) {
        const why = firstLine(output?.text ?? 'the page hangs')
        throw new MdtestError('AGENT_LOGIN_FAILED', `Cookies and storage cannot be saved: ${why}`)
      }
      // Cookies are secrets: they do not stay with the evidence.
      renameSync(saved, file)
    },
    close() {
      watch[Symbol.dispose]()
      return server.close()
    },
  }
  try {
    // A server that starts proves nothing: the browser is started with the first tool.
    const { isError, text } = await browser.call('browser_navigate', { url: 'about:blank' })
    if (isError) throw new Error(text)
  } catch (error: unknown) {
    await browser.close().catch(() => undefined)
    if (error instanceof MdtestError) throw error
    const message = `The browser does not start: ${firstLine(messageOf(error))}.`
    const hint = 'It needs a display that can be reached: see `DISPLAY`, or leave out `--headed`.'
    throw new MdtestError('AGENT_BROWSER_UNAVAILABLE', message, { ...(launch.isHeaded && { hint }), cause: error })
  }
  watch.begin(server.pid)
  return browser
}

/** `1. [GET] http://127.0.0.1/help => [404] Not Found` */
const failedRequest = /=> \[(?:FAILED|[45]\d\d)\]/

function firstLine(text: string): string {
  return text.replace(/^(?:#+ Error\s*)?(?:Error: )?/, '').split('\n')[0] ?? ''
}

/** A model may give what it was not shown: a file of the workspace, or words that the tool prints again. */
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

/** Longest output that is shown, in UTF-16 code units: some pages are larger than all that a model may read. */
const maxShown = 60_000

function cap(text: string): string {
  if (text.length <= maxShown) return text
  const end = text.lastIndexOf('\n', maxShown)
  const shown = text.slice(0, end > maxShown / 2 ? end : maxShown)
  const isInSnapshot = shown.lastIndexOf('```yaml\n') > shown.lastIndexOf('\n```\n')
  const sizes = `${Math.round(text.length / 1000)} kB, of which the first ${maxShown / 1000} are shown`
  return `${shown}${isInSnapshot ? '\n```' : ''}\n(${sizes}. Look at a part: browser_find with a text, browser_snapshot with a target or a depth, or a narrower question.)`
}
