import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveAddress } from '../../spec/browser/addresses.ts'
import type { BrowserCommand, BrowserLine, BrowserValue } from '../../spec/browser/browser-line.ts'
import { formatBrowserLine } from '../../spec/browser/format-browser-line.ts'
import { navigationTimeoutMs } from '../../spec/browser/limits.ts'
import { pageLines } from '../../spec/browser/page-lines.ts'
import type { Block } from '../../spec/spec.ts'
import { isInside } from '../../system/files/paths.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockFinding, BlockRun } from '../block-finding.ts'
import { isDone } from '../shell/describe-shell-end.ts'
import type { BrowserAction, BrowserQuestion, BrowserReply } from './browser-protocol.ts'
import { fillControl, fillText, fillValue, UnfilledError, type TextValues } from './fill-texts.ts'
import type { ScenarioBrowser } from './scenario-browser.ts'
import { describeMissing, seeLine, similarControls } from './see-line.ts'

type BrowserBlock = Extract<Block, { kind: 'browser' }>

/** What a `browser` block needs besides what all blocks need. */
export interface BrowserRun extends BlockRun {
  readonly browser: ScenarioBrowser
  /** Absolute path of the scenario's directory: what is uploaded is in it. */
  readonly dir: string
}

/** How long a line waits for what it needs, where the block has no `timeout`, in milliseconds. */
const lineTimeoutMs = 5000
/** Between two looks at a page, in milliseconds. */
const lookEveryMs = 40

/** Carries out the lines of a block in turn; the first that cannot be, or does not hold, ends it. */
export async function runBrowser(block: BrowserBlock, run: BrowserRun): Promise<BlockFinding> {
  const lines = new BrowserLines(block, run)
  for (const line of block.lines) {
    const finding = await lines.run(line)
    if (finding !== undefined) return { line: line.line, ...finding }
  }
  return { status: 'pass', message: '' }
}

class BrowserLines {
  readonly #block: BrowserBlock
  readonly #run: BrowserRun
  readonly #variables = new Map<string, string>()

  constructor(block: BrowserBlock, run: BrowserRun) {
    this.#block = block
    this.#run = run
  }

  async run(line: BrowserLine): Promise<BlockFinding | undefined> {
    const timeoutMs = this.#limitOf(line)
    if (timeoutMs <= 1) return { status: 'timeout', message: `No time was left for \`${formatBrowserLine(line)}\`.` }
    const finding = line.kind === 'see' ? await this.#see(line, timeoutMs) : await this.#act(line, timeoutMs)
    if (finding === undefined) return this.#tell(line, timeoutMs)
    return { ...finding, message: this.#redact(finding.message) }
  }

  #limitOf({ kind }: BrowserLine): number {
    const usualMs = kind === 'goto' || kind === 'history' ? navigationTimeoutMs : lineTimeoutMs
    return Math.min(this.#run.timeoutMs, this.#block.attributes.timeoutMs ?? usualMs)
  }

  async #act(line: Exclude<BrowserLine, { kind: 'see' }>, timeoutMs: number): Promise<BlockFinding | undefined> {
    const written = formatBrowserLine(line)
    const action = await this.#fill(line)
    if (typeof action === 'string') return fail(`\`${written}\`: ${action}`)
    const reply = await this.#ask({ ...action, timeoutMs })
    if (reply.ok) return undefined
    const similar = reply.what === 'control' ? await this.#similar(action) : ''
    return faultOf(reply, `\`${written}\`: ${reply.message}${similar}`)
  }

  #ask(request: BrowserQuestion): Promise<BrowserReply> {
    const page = this.#block.isRecorded ? 'agent' : 'spec'
    return this.#run.browser.ask({ ...request, page })
  }

  /** What is to be done, with all values in it; or why it cannot be, one sentence. */
  async #fill(line: Exclude<BrowserCommand, { kind: 'see' }>): Promise<BrowserAction | string> {
    const missing = await this.#readVariables(line)
    if (missing !== undefined) return missing
    const values: TextValues = { captures: this.#run.captures, variables: this.#variables }
    try {
      return this.#filled(line, values)
    } catch (error: unknown) {
      if (error instanceof UnfilledError) return error.message
      throw error
    }
  }

  /** @throws {UnfilledError} */
  #filled(line: Exclude<BrowserCommand, { kind: 'see' }>, values: TextValues): BrowserAction {
    switch (line.kind) {
      case 'goto':
        return { kind: 'goto', url: this.#addressOf(fillText(line.address, values)) }
      case 'history':
        return line
      case 'dialog':
        return { kind: 'dialog', accepts: line.accepts, ...(line.text && { text: fillValue(line.text, values) }) }
      case 'press':
        return { kind: 'press', key: line.key, ...(line.control && { control: fillControl(line.control, values) }) }
      case 'drag':
        return { kind: 'drag', control: fillControl(line.control, values), to: fillControl(line.to, values) }
      case 'act': {
        const texts = line.values.map((value) => fillValue(value, values))
        return {
          kind: 'act',
          verb: line.verb,
          control: fillControl(line.control, values),
          values: line.verb === 'upload' ? texts.map((file) => this.#fileOf(file)) : texts,
        }
      }
      default:
        return line satisfies never
    }
  }

  #addressOf(address: string): string {
    const { baseUrl } = this.#run.browser
    const url = resolveAddress(address, baseUrl)
    if (url !== undefined) return url
    const wayOut =
      baseUrl === undefined && !/^[a-z]+:/i.test(address)
        ? 'It is relative, and there is no base URL: give it with `base-url` in the front matter, the option `baseUrl` or `--base-url`.'
        : 'It has to be a path below the base URL, or begin with `http://` or `https://`.'
    throw new UnfilledError(`\`${address}\` is no address to open. ${wayOut}`)
  }

  #fileOf(file: string): string {
    const { dir } = this.#run
    const path = resolve(dir, file)
    try {
      if (isInside(path, resolve(dir)) && isInside(realpathSync(path), realpathSync(dir)) && statSync(path).isFile())
        return path
    } catch {
      // Not there: told below.
    }
    throw new UnfilledError(`\`${file}\` is no file in the scenario's directory. Write it in an earlier block.`)
  }

  /** As the shell of the scenario has them. */
  async #readVariables(line: BrowserCommand): Promise<string | undefined> {
    const names = variablesIn(line)
    const problem = names.length === 0 ? undefined : await this.#run.exportCaptures()
    if (problem !== undefined) return problem
    for (const name of names) {
      const result = await this.#run.shell.run(`[ -n "\${${name}+x}" ] && printf %s "$${name}"`, {
        timeoutMs: this.#run.timeoutMs,
        streams: 'separate',
        env: this.#run.env,
      })
      if (!isDone(result)) return 'The shell of the scenario, whose variables it needs, is gone.'
      this.#variables.delete(name)
      if (result.exitCode !== 0) continue
      this.#variables.set(name, result.stdout)
      if (this.#run.captures.get(name) !== result.stdout) this.#run.browser.hidden.add(result.stdout)
    }
    return undefined
  }

  async #similar(action: BrowserAction): Promise<string> {
    const control =
      action.kind === 'act' || action.kind === 'drag' || action.kind === 'press' ? action.control : undefined
    if (control === undefined) return ''
    const reply = await this.#ask({ kind: 'look', timeoutMs: lineTimeoutMs })
    if (!reply.ok) return ''
    const others = similarControls(control.role, control.name ?? '', linesOf(reply))
    const there = others.length === 0 ? '' : ` It has: ${others.map((one) => `\`${one}\``).join(', ')}.`
    return ` It is \`${reply.url}\`.${there}`
  }

  async #see(line: Extract<BrowserLine, { kind: 'see' }>, timeoutMs: number): Promise<BlockFinding | undefined> {
    const { captures, signal, update } = this.#run
    const endMs = performance.now() + timeoutMs
    for (;;) {
      const reply = await this.#ask({ kind: 'look', timeoutMs })
      const isOver = performance.now() >= endMs || signal.aborted
      if (!reply.ok) {
        // A page that is about to be another one cannot be looked at.
        if (isOver || reply.what !== 'other') return faultOf(reply, reply.message)
      } else {
        const lines = linesOf(reply)
        const seen = seeLine(line, { lines, captures })
        if (seen.ok) {
          for (const [name, value] of seen.captures) captures.set(name, value)
          return undefined
        }
        if (isOver || seen.isFinal) {
          const message = this.#describe(line, seen, { ...reply, lines, timeoutMs })
          return { ...fail(update === undefined ? message : `${message}\n\n${notRewritten}`), isOutputOnly: true }
        }
      }
      await sleep(lookEveryMs)
    }
  }

  #describe(
    { text, line, isAbsent }: Extract<BrowserLine, { kind: 'see' }>,
    { problem, message }: Extract<ReturnType<typeof seeLine>, { ok: false }>,
    { url, lines, timeoutMs }: { readonly url: string; readonly lines: readonly string[]; readonly timeoutMs: number },
  ): string {
    if (problem === 'other') return `\`${isAbsent ? '!' : '-'} ${text}\`: ${message}`
    if (isAbsent) return `After ${timeoutMs} ms \`${url}\` still shows what must not be there:\n+ ${text}`
    const shown = lines.map((one) => this.#redact(one))
    return `\`${url}\` does not show this within ${timeoutMs} ms (- expected, + nearest line of the page):\n${describeMissing(text, shown, line)}`
  }

  /** For whoever looks on. */
  async #tell(line: BrowserLine, timeoutMs: number): Promise<undefined> {
    const { onCommand, captures } = this.#run
    if (onCommand === undefined) return
    const reply = await this.#ask({ kind: 'look', timeoutMs, withPasswords: true })
    const printed = reply.ok
      ? linesOf(reply)
          .map((one) => `${one}\n`)
          .join('')
      : ''
    const passwords = reply.ok ? (reply.passwords ?? []) : []
    const ended = { block: this.#block, line: line.line, exitCode: 0, printed, passwords }
    await onCommand({ ...ended, captures: new Map(captures) })
  }

  readonly #redact: Redact = (text) => {
    const hidden = [...this.#run.browser.hidden].filter((value) => value.length >= shortestHidden)
    const plain = hidden.reduce((rest, value) => rest.replaceAll(value, '***'), text)
    return this.#run.redact(plain)
  }
}

/** Shorter values are in many words. */
const shortestHidden = 3

const notRewritten =
  'Not rewritten: `-u` does not write `browser` blocks. Correct the line, or record the step again with `mdtest record`.'

function linesOf({ snapshots }: Extract<BrowserReply, { ok: true }>): readonly string[] {
  return [...new Set(snapshots.flatMap((snapshot) => pageLines(snapshot)))]
}

function variablesIn(line: BrowserCommand): readonly string[] {
  const values: readonly BrowserValue[] =
    line.kind === 'act' ? line.values : line.kind === 'dialog' && line.text ? [line.text] : []
  return values.flatMap((value) => ('variable' in value ? [value.variable] : []))
}

function faultOf({ what }: Extract<BrowserReply, { ok: false }>, message: string): BlockFinding {
  const cause = {
    control: 'control missing',
    many: 'control ambiguous',
    lost: undefined,
    page: 'page not ready',
    other: 'action failed',
  }[what]
  return { ...fail(message), ...(cause !== undefined && { cause }), ...(what === 'lost' && { isBlocked: true }) }
}

function fail(message: string): BlockFinding {
  return { status: 'fail', message }
}
