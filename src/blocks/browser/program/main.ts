// Drives a browser for the browser blocks of one scenario. Standard input is a socket: requests and replies are lines
// of JSON on it. When the socket closes, this process and the browser end.
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { Mailbox } from '../../../login/mailbox.ts'
import { firstLineOf } from '../../../system/error-facts.ts'
import type { BrowserStart } from '../../../agents/browser/block-browser.ts'
import { lost, type BrowserCode, type BrowserProgress, type BrowserReply, type PageName } from '../browser-protocol.ts'
import { BlockPage } from './block-page.ts'
import type * as Playwright from 'playwright-core'
import { readLines } from '../../../system/process/read-output.ts'
import { runCode, type Surroundings } from './run-code.ts'
import { refuseDebugger } from '../../../system/mdtest-package.ts'

refuseDebugger()
const socket = new Socket({ fd: 0 })
const reply = (answer: BrowserProgress | BrowserReply): void => void socket.write(`${JSON.stringify(answer)}\n`)
let opened: Promise<Opened> | undefined
let last: Promise<unknown> = Promise.resolve()

interface Opened {
  readonly browser: Playwright.Browser
  readonly around: Surroundings
  pageOf(name: PageName, user: string): Promise<BlockPage>
}

readLines(socket, (line) => {
  const message: unknown = JSON.parse(line)
  if (opened === undefined) opened = begin(message as BrowserStart)
  else {
    const ready = opened
    last = last.then(async () => reply(await tryCode(ready, message as BrowserCode)))
  }
})
for (const event of ['end', 'close', 'error'] as const) socket.once(event, end)
// Ignore a call that fails after the block's end, because the block did not await it.
process.on('unhandledRejection', () => undefined)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)

function begin(start: BrowserStart): Promise<Opened> {
  const opening = openBrowser(start)
  opening.then(
    () => reply({ kind: 'done', captures: {} }),
    (error: unknown) => reply(lost(`The browser does not start: ${firstLineOf(error)}`)),
  )
  return opening
}

async function openBrowser(start: BrowserStart): Promise<Opened> {
  const { playwright, launchOptions, contextOptions, storageStates, signIn, home } = start
  const { chromium }: typeof Playwright = createRequire(join(playwright, 'package.json'))(playwright)
  const browser = await chromium.launch(launchOptions)
  browser.on('disconnected', () => socket.destroy())
  const pages = new Map<string, Promise<BlockPage>>()
  const openPage = async (user: string): Promise<BlockPage> => {
    const storageState = storageStates[user]
    const context = await browser.newContext({ ...contextOptions, ...(storageState !== undefined && { storageState }) })
    return new BlockPage(await context.newPage())
  }
  return {
    browser,
    around: { ...signIn, folder: dirname(home), mailbox: new Mailbox(signIn.mailbox), tell: reply },
    pageOf(name, user) {
      const key = `${name} ${user}`
      const known = pages.get(key) ?? openPage(user)
      pages.set(key, known)
      return known
    },
  }
}

async function tryCode(opening: Promise<Opened>, code: BrowserCode): Promise<BrowserReply> {
  try {
    const { pageOf, around } = await opening
    return await runCode(await pageOf(code.page, code.user), code, around)
  } catch (error: unknown) {
    return lost(`The browser cannot be used: ${firstLineOf(error)}`)
  }
}

function end(): void {
  const close = opened?.then(({ browser }) => browser.close()) ?? Promise.resolve()
  void close.catch(() => undefined).then(() => socket.destroy())
}
