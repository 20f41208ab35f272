import { realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { resolveAddress } from '../../../spec/browser/addresses.ts'
import { navigationTimeoutMs } from '../../../spec/browser/limits.ts'
import { oneTimeCode } from '../../../login/totp.ts'
import type { Mailbox } from '../../../login/mailbox.ts'
import type { SignIn } from '../../../login/secrets-and-origins.ts'
import { messageOf, orNothing } from '../../../system/error-facts.ts'
import { isInside } from '../../../system/files/paths.ts'
import type { BrowserCode, BrowserFault, BrowserProgress, BrowserReply } from '../browser-protocol.ts'
import { missingLineDiff, seeLine, similarControls } from '../see-line.ts'
import type { BlockPage } from './block-page.ts'
import { Fault, faultOf } from './fault.ts'
import { watchCalls, type PlaywrightCall } from './watch-calls.ts'

/** How long a call waits for a control or a line if the block has no `timeout`, in milliseconds. */
const callTimeoutMs = 5000
const lookEveryMs = 40

/** `secrets` and `codes` are values by name. No shell gets these values. */
export interface Surroundings extends Pick<SignIn, 'secrets' | 'codes'> {
  /** Folder with files that mark one-time codes as used in this run. */
  readonly folder: string
  readonly mailbox: Mailbox
  tell(progress: BrowserProgress): void
}

/** Marks a text that stands for a one-time code. The code is computed when it is typed. */
const codeMark = '\0code:'

export async function runCode(block: BlockPage, code: BrowserCode, around: Surroundings): Promise<BrowserReply> {
  const run = new CodeRun(block, code, around)
  const over = new AbortController()
  const isLate = sleep(code.timeoutMs, 'late' as const, { signal: over.signal })
  try {
    const end = await Promise.race([run.execute(), isLate])
    if (end === 'late')
      return { kind: 'fault', what: 'timeout', message: `The block took longer than ${code.timeoutMs} ms.` }
    return { kind: 'done', captures: Object.fromEntries(run.captures) }
  } catch (error: unknown) {
    return run.describe(error)
  } finally {
    over.abort()
    isLate.catch(() => undefined)
  }
}

class CodeRun {
  readonly captures: Map<string, string>
  readonly #block: BlockPage
  readonly #code: BrowserCode
  readonly #around: Surroundings
  readonly #waitMs: number
  /** Line of each call that is still running. */
  readonly #running = new Map<Promise<unknown>, number>()
  /** Line of the call that caused each error. */
  readonly #places = new WeakMap<object, number>()

  constructor(block: BlockPage, code: BrowserCode, around: Surroundings) {
    this.#block = block
    this.#code = code
    this.#around = around
    this.#waitMs = code.waitMs ?? callTimeoutMs
    this.captures = new Map(Object.entries(code.captures))
    block.page.setDefaultTimeout(this.#waitMs)
    block.page.setDefaultNavigationTimeout(code.waitMs ?? navigationTimeoutMs)
  }

  async execute(): Promise<void> {
    const scope = this.#scope()
    const execute = compile(this.#code, Object.keys(scope))
    const lost: unknown[] = []
    const onUnhandled = (error: unknown): void => {
      if (typeof error === 'object' && error !== null && this.#places.has(error)) lost.push(error)
    }
    process.on('unhandledRejection', onUnhandled)
    try {
      await execute(...Object.values(scope))
      // Wait a turn: only then does Node.js report a rejection that the block did not handle.
      await nextTurn()
    } finally {
      process.off('unhandledRejection', onUnhandled)
    }
    if (lost.length > 0) throw lost[0]
    const [index] = this.#running.values()
    if (index === undefined) return
    throw this.#at(index, new Fault('other', 'It still ran when the block ended. Write `await` before it.'))
  }

  describe(error: unknown): BrowserFault {
    const index = (typeof error === 'object' && error !== null && this.#places.get(error)) || blockLine(error) || 0
    const { what, message } =
      error instanceof Fault ? error : new Fault(this.#block.end === undefined ? 'other' : 'page', messageOf(error))
    const written = this.#code.code.split('\n')[index]?.trim() ?? ''
    return { kind: 'fault', what, index, message: what === 'sight' ? message : `\`${written}\`: ${message}` }
  }

  #scope(): Readonly<Record<string, unknown>> {
    const see = (text: string): Promise<void> => this.#run(() => this.#see(text, false))
    const { secrets, directory } = this.#code
    const own = this.#around
    const waitMs = this.#waitMs
    return {
      page: watchCalls(this.#block.page, (call) => this.#call(call)),
      see: Object.assign(see, { not: (text: string) => this.#run(() => this.#see(text, true)) }),
      secret(name: string) {
        const value = secrets[name] ?? own.secrets[name]
        if (value !== undefined) return value
        if (Object.hasOwn(own.codes, name)) return codeMark + name
        const wayOut = `Name it in \`requires: ['env:${name}']\`, or set it in the front matter's \`env\` or in an earlier block.`
        throw new Fault('other', `The variable \`${name}\` is not set. ${wayOut}`)
      },
      captures: this.captures,
      mailbox: {
        newAddress: () => own.mailbox.newAddress(),
        wait: (name: string, to: string, subject?: string) => this.#run(() => this.#waitForMail(name, to, subject)),
      },
      dialog: {
        accept: (text?: string) => this.#run(() => this.#block.answerDialog((asked) => asked.accept(text), waitMs)),
        dismiss: () => this.#run(() => this.#block.answerDialog((asked) => asked.dismiss(), waitMs)),
      },
      fileChooser: {
        setFiles: (files: unknown) => this.#run(() => this.#block.chooseFiles(filesIn(files, directory), waitMs)),
      },
    }
  }

  async #waitForMail(name: string, to: string, subject?: string): Promise<void> {
    const timeoutMs = Math.max(this.#waitMs, mailTimeoutMs)
    const mail = await this.#around.mailbox.wait({ to, subject, timeoutMs })
    if (mail === undefined) throw new Fault('other', `No mail came to ${to}.`)
    for (const [kind, values] of Object.entries({ link: mail.links, code: mail.codes }))
      for (const [index, value] of values.entries()) this.captures.set(`${name}_${kind}${index + 1}`, value)
  }

  #withCodes(args: readonly unknown[], make: PlaywrightCall['make']): unknown {
    const { codes, folder } = this.#around
    if (!args.some((arg) => isCode(arg))) return make(args)
    const typed = args.map(async (arg) =>
      isCode(arg) ? oneTimeCode(codes[arg.slice(codeMark.length)] ?? '', folder) : arg,
    )
    return Promise.all(typed).then(make)
  }

  #call({ target, name, args, make }: PlaywrightCall): unknown {
    const isPage = target === this.#block.page
    if (isPage && name === 'goto') return this.#run(() => this.#goto(args))
    const [first, ...others] = args
    const result =
      name === 'setInputFiles' ? make([filesIn(first, this.#code.directory), ...others]) : this.#withCodes(args, make)
    // Do not settle or report `waitForEvent` and the like, because such calls run beside an action.
    if (!(result instanceof Promise)) return result
    if (name.startsWith('waitFor')) return this.#run(() => result, false)
    return this.#run(async (index) => {
      if (!isPage) this.#block.assertOpen()
      try {
        return await this.#block.settle(result, this.#waitMs)
      } catch (error: unknown) {
        const counted = 'count' in target ? { count: async () => (target as { count(): Promise<number> }).count() } : {}
        throw await this.#withSimilar(await faultOf(error, { name, url: '', ...counted }), index)
      }
    })
  }

  async #goto([address, options]: readonly unknown[]): Promise<unknown> {
    const url = this.#addressOf(String(address))
    const navigation = { waitUntil: 'domcontentloaded' as const, ...(typeof options === 'object' && options) }
    // Try again if another navigation, such as an earlier try, interrupts this navigation.
    for (let triesLeft = 5; ; triesLeft -= 1) {
      try {
        return await this.#block.settle(this.#block.page.goto(url, navigation), this.#waitMs)
      } catch (error: unknown) {
        if (triesLeft === 0 || !/interrupted by another navigation/.test(messageOf(error))) {
          throw await faultOf(error, { name: 'goto', url })
        }
        await sleep(50)
      }
    }
  }

  #addressOf(address: string): string {
    const { baseUrl } = this.#code
    const url = resolveAddress(address, baseUrl)
    if (url !== undefined) return url
    const wayOut =
      baseUrl === undefined && !/^[a-z]+:/i.test(address)
        ? 'It is relative, and there is no base URL: give it with `base-url` in the front matter, the option `baseUrl` or `--base-url`.'
        : 'It has to be a path below the base URL, or begin with `http://` or `https://`.'
    throw new Fault('other', `\`${address}\` is no address to open. ${wayOut}`)
  }

  /** Runs a call of the block. Reports its success, or adds its line to the error. */
  async #run<T>(work: (index: number) => Promise<T>, isTold = true): Promise<T> {
    const index = blockLine(new Error('here')) ?? 0
    const running = work(index)
    this.#running.set(running, index)
    try {
      const result = await running
      if (isTold && this.#code.tellsCalls) await this.#tellCall(index)
      return result
    } catch (error: unknown) {
      throw this.#at(index, error)
    } finally {
      this.#running.delete(running)
    }
  }

  #at(index: number, error: unknown): unknown {
    if (typeof error === 'object' && error !== null) this.#places.set(error, index)
    return error
  }

  async #tellCall(index: number): Promise<void> {
    // `lines` rejects if the page shows a dialog. The call is then reported without lines.
    const page = await this.#block.lines(this.#waitMs).catch(() => undefined)
    const passwords = page === undefined ? [] : await this.#block.passwords()
    this.#around.tell({
      kind: 'called',
      index,
      page: page ?? [],
      passwords,
      captures: Object.fromEntries(this.captures),
    })
  }

  async #withSimilar(fault: Fault, index: number): Promise<Fault> {
    if (fault.what !== 'control') return fault
    const written = this.#code.code.split('\n')[index] ?? ''
    const lines = await this.#block.lines(this.#waitMs).catch(() => [])
    const others = similarControls(written, lines)
    const there = others.length === 0 ? '' : ` It has: ${others.map((one) => `\`${one}\``).join(', ')}.`
    return new Fault('control', `${fault.message} It is \`${this.#block.page.url()}\`.${there}`)
  }

  async #see(text: string, isAbsent: boolean): Promise<void> {
    const endMs = performance.now() + this.#waitMs
    this.#block.assertOpen()
    for (;;) {
      const isOver = performance.now() >= endMs
      const lines = await this.#block.lines(this.#waitMs).catch((error: unknown) => {
        // Ignore errors of Playwright until the time is over: a page cannot be read while it navigates.
        if (isOver || error instanceof Fault) throw error
      })
      if (lines !== undefined) {
        const seen = seeLine({ text, isAbsent }, { lines, captures: this.captures })
        if (seen.ok) {
          for (const [name, value] of seen.captures) this.captures.set(name, value)
          return
        }
        if (isOver || seen.isFinal) throw new Fault('sight', this.#describeSight(seen, { text, isAbsent, lines }))
      }
      await sleep(lookEveryMs)
    }
  }

  #describeSight(
    { message }: Extract<ReturnType<typeof seeLine>, { ok: false }>,
    { text, isAbsent, lines }: { readonly text: string; readonly isAbsent: boolean; readonly lines: readonly string[] },
  ): string {
    const url = this.#block.page.url()
    if (message !== undefined) return `\`${isAbsent ? 'see.not' : 'see'}\` \`${text}\`: ${message}`
    if (isAbsent) return `After ${this.#waitMs} ms \`${url}\` still shows what must not be there:\n+ ${text}`
    return `\`${url}\` does not show this within ${this.#waitMs} ms (- expected, + nearest line of the page):\n${missingLineDiff(text, lines)}`
  }
}

/** Shortest time to wait for a mail, in milliseconds. */
const mailTimeoutMs = 15_000

function isCode(arg: unknown): arg is string {
  return typeof arg === 'string' && arg.startsWith(codeMark)
}

function filesIn(files: unknown, directory: string): readonly string[] {
  return (Array.isArray(files) ? files : [files]).map((file) => {
    const path = resolve(directory, String(file))
    const real = orNothing(() => realpathSync(path))
    const isHere = isInside(path, resolve(directory)) && real !== undefined && isInside(real, realpathSync(directory))
    if (isHere && statSync(real).isFile()) return path
    const message = `\`${String(file)}\` is no file in the scenario's directory. Write it in an earlier block.`
    throw new Fault('other', message)
  })
}

type Execute = (...scope: readonly unknown[]) => Promise<void>

const sourceName = 'mdtest-browser-block'

function compile({ code, language }: BrowserCode, names: readonly string[]): Execute {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion
  const AsyncFunction = (async () => {}).constructor as new (...parts: readonly string[]) => Execute
  const create = (text: string): Execute => new AsyncFunction(...names, `${text}\n//# sourceURL=${sourceName}`)
  try {
    return create(code)
  } catch (error: unknown) {
    if (language === 'js') throw new Fault('other', `This is no JavaScript: ${messageOf(error)}.`)
  }
  if (!('stripTypeScriptTypes' in module)) {
    throw new Fault('other', 'This is no JavaScript. Types in a browser block need Node 22.13 or later.')
  }
  try {
    return create((module.stripTypeScriptTypes as (text: string) => string)(code))
  } catch (error: unknown) {
    throw new Fault('other', `This is no TypeScript: ${messageOf(error)}.`)
  }
}

/** Number of lines that `AsyncFunction` adds before the code. */
const linesBefore = 3

/** Line of the block, counted from 0, at which an error was created. */
function blockLine(error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, line] = new RegExp(`${sourceName}:(\\d+):`).exec(stack) ?? []
  return line === undefined ? undefined : Number(line) - linesBefore
}
