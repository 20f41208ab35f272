import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserStart } from '../../agents/browser/block-browser.ts'
import { launch } from '../../system/process/launcher/launch.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { LiveTree } from '../../system/process/launcher/live-trees.ts'
import { killTrees } from '../../system/process/trees/kill-trees.ts'
import { withMarks } from '../../system/process/trees/marks.ts'
import { messageOf } from '../../system/error-facts.ts'
import { lost, type BrowserCode, type BrowserProgress, type BrowserReply } from './browser-protocol.ts'
import { readLines } from '../../system/process/read-output.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import { flagsWithoutDebugger, ownFile } from '../../system/mdtest-package.ts'

type OnCalled = (progress: BrowserProgress) => void

export interface ScenarioBrowserOptions {
  /** Called once, when the first block needs a browser. */
  open(): Promise<BrowserStart>
  /** The launcher that starts the browser. Not known before the scenario runs. */
  readonly launcher: () => LauncherAddress
  readonly runMark: string
  readonly baseUrl: string | undefined
  onStart(tree: LiveTree): void
  onEnd(pid: number): void
}

/** The browser of one scenario, in its own process. The first request starts it. */
export interface ScenarioBrowser {
  readonly baseUrl: string | undefined
  user: string
  /** Values that messages must not show, such as values of `secret('NAME')`. */
  readonly hidden: Set<string>
  /** Executes a block after the earlier blocks are done. Never rejects. */
  run(code: BrowserCode, onCalled: OnCalled): Promise<BrowserReply>
  /** Ends the browser at once. Later requests are answered with `lost`. */
  cancel(): void
  close(): Promise<void>
}

/** Extra time after a request's limit, in milliseconds, in which the page settles and the reply arrives. */
const answerMarginMs = 30_000
/** How long a browser may take to end by itself, in milliseconds. */
const closingMs = 3000

export function createScenarioBrowser(options: ScenarioBrowserOptions): ScenarioBrowser {
  let opened: Promise<OpenBrowser | string> | undefined
  let isCanceled = false
  const hidden = new Set<string>()
  return {
    baseUrl: options.baseUrl,
    user: '',
    hidden,
    async run(code, onCalled) {
      if (isCanceled) return canceled
      const browser = await (opened ??= startBrowser(options))
      return typeof browser === 'string' ? lost(browser) : browser.run(code, onCalled)
    },
    cancel() {
      isCanceled = true
      void opened?.then((browser) => typeof browser === 'string' || browser.end())
    },
    async close() {
      const browser = await opened
      if (typeof browser === 'object') await browser.close()
    },
  }
}

const canceled = lost('The run was canceled.')

async function startBrowser(options: ScenarioBrowserOptions): Promise<OpenBrowser | string> {
  const start = await options.open().catch(messageOf)
  if (typeof start === 'string') return start
  const mark = randomUUID()
  try {
    const program = ownFile('#browser-blocks')
    const { pid, pipes, ended, unref } = await launch(
      options.launcher(),
      {
        argv: [process.execPath, ...flagsWithoutDebugger(), program],
        cwd: start.home,
        env: withMarks(start.env, [options.runMark, mark]),
      },
      [0],
    )
    unref()
    options.onStart({ pid, mark })
    const browser = new OpenBrowser(pipes[0], {
      refusals: start.refusals,
      ended,
      async cleanUp() {
        await killTrees({ roots: [{ pid }], mark, graceMs: 0 })
        options.onEnd(pid)
        removeTemporary(start.home)
      },
    })
    await browser.begin(start)
    return browser
  } catch (error: unknown) {
    return `The browser could not be started: ${messageOf(error)}`
  }
}

interface Parts extends Pick<BrowserStart, 'refusals'> {
  readonly ended: Promise<unknown>
  cleanUp(): Promise<void>
}

class OpenBrowser {
  readonly #socket: Socket
  readonly #parts: Parts
  readonly #waiting: { readonly resolve: (reply: BrowserReply) => void; readonly onCalled: OnCalled }[] = []
  #end: BrowserReply | undefined

  constructor(socket: Socket, parts: Parts) {
    this.#socket = socket
    this.#parts = parts
    readLines(socket, (line) => {
      const message = JSON.parse(line) as BrowserProgress | BrowserReply // lines of our own program
      if (message.kind === 'called') this.#waiting[0]?.onCalled(message)
      else this.#waiting.shift()?.resolve(message)
    })
    socket.on('close', () => this.#lose('The browser ended in the middle of the scenario: something killed it.'))
    socket.unref()
  }

  async begin(start: BrowserStart): Promise<void> {
    const reply = await this.#send(start, answerMarginMs)
    if (reply.kind === 'done') return
    await this.close()
    throw new Error(reply.message)
  }

  async run(code: BrowserCode, onCalled: OnCalled): Promise<BrowserReply> {
    const refusal = this.#parts.refusals[code.user]
    if (refusal !== undefined) return { kind: 'fault', what: 'login', message: refusal }
    return this.#send(code, code.timeoutMs + answerMarginMs, onCalled)
  }

  async #send(message: object, limitMs: number, onCalled: OnCalled = () => {}): Promise<BrowserReply> {
    if (this.#end) return this.#end
    this.#socket.ref()
    const timer = setTimeout(() => {
      this.#lose('The browser does not answer.')
      this.end()
    }, limitMs)
    try {
      return await new Promise((resolve) => {
        this.#waiting.push({ resolve, onCalled })
        this.#socket.write(`${JSON.stringify(message)}\n`)
      })
    } finally {
      clearTimeout(timer)
      if (this.#waiting.length === 0) this.#socket.unref()
    }
  }

  #lose(message: string): void {
    this.#end ??= lost(message)
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.#end)
  }

  end(): void {
    this.#end ??= canceled
    this.#socket.destroy()
  }

  async close(): Promise<void> {
    this.#end ??= lost('The scenario is over.')
    this.#socket.end()
    await Promise.race([this.#parts.ended.catch(() => undefined), sleep(closingMs, undefined, { ref: false })])
    await this.#parts.cleanUp()
    this.#socket.destroy()
  }
}
