import { parseJson } from '../../system/text/parse-json.ts'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { AgentEvent, ToolCall } from '../../agents/agent.ts'
import { formatJournalEntry, maxExcerptCharacters, type JournalEntry } from '../../records/journal/journal.ts'
import { appendFile, replaceFile } from '../../system/files/write-file.ts'
import { ownCopy } from '../../system/mdtest-package.ts'
import type { StepReport } from '../../records/result-log/result-log.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ObservedCall } from '../../verdict/verdict.ts'
import { withoutLoneBytes } from '../../system/text/byte-text.ts'
import { keptPart, Latest, type ToolOutput } from './kept-outputs.ts'
import { isProductActivity, type SpecPaths } from './product-activity.ts'
import { isReport, OwnWork, type EndedCall, type OwnWorkOptions, type SeenCall } from './agents-own-files.ts'
import { opensOwnPage, quotableText, withoutTyped, type TypedText } from '../../agents/browser/quotable-page-text.ts'
import { Condition } from '../../system/slots-and-timers.ts'
import { z } from 'zod'
import { orNothing } from '../../system/error-facts.ts'

interface WriterOptions extends SpecPaths, Omit<OwnWorkOptions, 'isExecutor'> {
  readonly ground: Ground
  readonly file: string
  readonly steps: readonly string[]
  readonly now: () => Date
  readonly redact?: Redact
  /** Returns the current step. Present if mdtest runs all commands for the agent: only these are recorded then. */
  readonly stepOfExecutor?: () => string | undefined
}

type OpenCall = Omit<EndedCall, 'isError' | 'endedAtMs'>

type ToolResult = Extract<AgentEvent, { type: 'tool-result' }>

const maxExcerpts = 10_000
const maxWholeCharacters = 32 * 1024 * 1024

/** Writes tool calls and their steps to the journal. Without an executor, the journal starts at the event `opened`. */
export class JournalWriter {
  readonly outputs = new Latest<ToolOutput>(({ text }) => text)
  readonly own: OwnWork
  readonly #options: Omit<WriterOptions, 'redact'> & { readonly redact: Redact }
  readonly #entries: JournalEntry[] = []
  readonly #open = new Map<string, OpenCall>()
  readonly #denied = new Set<string>()
  /** Whether the agent opened a page that it wrote itself. Later browser output may come from that page. */
  #isOwnPage = false
  readonly #typed: TypedText[] = []
  readonly #calls = new Condition()
  readonly #reportsSeen = new Map<string, unknown>()
  #isOpened: boolean
  #isStreamOpened = false
  #wholeCharacters = 0
  /** Index of the current step: the number of reports whose answer the agent's output shows. */
  #reported = 0

  constructor(options: WriterOptions) {
    this.#options = { redact: (text) => text, ...options }
    this.#isOpened = options.stepOfExecutor !== undefined
    const files = [options.specFile, ...(options.includedFiles ?? [])]
    // The agent cannot read a missing file or a pipe either, so both count as empty.
    const text = files.map((file) => readForeignFile(file, maxSpecBytes)?.toString('utf8') ?? '').join('\n')
    this.own = new OwnWork(text, { ...options, isExecutor: options.stepOfExecutor !== undefined })
  }

  get observedCalls(): readonly ObservedCall[] | undefined {
    if (!this.#isOpened) return undefined
    return this.#entries.map(({ step, activity, denied }) => ({ step, activity, denied }))
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'opened') this.#isStreamOpened = true
    if (event.type === 'tool-call' && isReport(event)) this.#reportsSeen.set(event.id, event.reported)
    if (event.type === 'denial' && event.id !== undefined && this.#reportsSeen.has(event.id)) this.#denied.add(event.id)
    if (this.#options.stepOfExecutor === undefined) this.onHand(event)
  }

  /** Records an event. Returns why output of the product must not be quoted; `undefined` if it may be quoted. */
  onHand(event: AgentEvent): string | undefined {
    if (event.type === 'opened') this.#isOpened = true
    if (event.type === 'tool-call') this.#begin(event)
    if (event.type === 'denial' && event.id !== undefined) this.#deny(event.id)
    return event.type === 'tool-result' ? this.#complete(event) : undefined
  }

  async seesReport(limitMs: number): Promise<boolean> {
    if (this.#options.stepOfExecutor !== undefined) return true
    const report = await this.#calls.waitFor(() => [...this.#open.values()].find(isReport), limitMs)
    return report !== undefined && this.#isOpened
  }

  /** Call after the agent's end. Returns ids of steps whose accepted report is missing in the agent's own output. */
  unseenReports(reports: readonly StepReport[]): readonly string[] {
    if (!this.#isStreamOpened) return []
    const seen = [...this.#reportsSeen].filter(([id]) => !this.#denied.has(id)).map(([, input]) => input)
    return reports.filter((report) => !seen.some((input) => matchesReport(input, report))).map(({ id }) => id)
  }

  /** Call after the agent's end. Writes the file anew: the agent may have edited it, and calls may be denied late. */
  close(): void {
    const entries = this.#isOpened ? this.#entries : []
    const { ground, file } = this.#options
    // Ignore errors such as a full disk, because the verdict does not depend on this file.
    orNothing(() => replaceFile(ground, file, entries.map(formatJournalEntry).join('')))
  }

  #begin({ id, reported: _reported, written = [], created = [], ...call }: ToolCall): void {
    const { stepOfExecutor, steps } = this.#options
    const step = stepOfExecutor === undefined ? steps[this.#reported] : stepOfExecutor()
    this.#open.set(id, { ...call, written, created, step: step ?? null, begunAtMs: this.#options.now().getTime() })
    this.#calls.notify()
  }

  #complete(result: ToolResult): string | undefined {
    const { id, isError, output, exitCode } = result
    const call = this.#open.get(id)
    if (call === undefined) return undefined
    this.#open.delete(id)
    if (isReport(call) && !isError) this.#reported += 1
    const isDenied = this.#denied.has(id)
    const at = this.#options.now()
    const ending = { isError, endedAtMs: at.getTime(), earlier: this.outputs.all }
    const { line, doubt, echoes = [] } = isDenied ? {} : this.own.take({ ...call, ...ending })
    const [text, whole] = this.#quotable(call, printed(call, output))
    const activity = !isDenied && isProductActivity(call, this.#options)
    const { kind, step } = call
    this.#add(call, result, { at: at.toISOString(), activity, ...(isDenied && { denied: true }) })
    if (isDenied || (!activity && doubt !== undefined)) return undefined
    const ended = line?.endsInProduct === true && exitCode !== undefined ? `\nExit code ${exitCode}` : ''
    const weakness = isError && kind === 'browser' ? failed : doubt
    const seen = { endedAtMs: at.getTime(), step, hasTexts: kind === 'browser' || kind === 'mcp' }
    if (whole !== undefined) this.outputs.add({ ...seen, text: whole, doubt: typedAlone })
    this.outputs.add({
      ...seen,
      text: (text === '' && ended !== '' && line?.showsAll === true ? 'No output' : text) + ended,
      ...(weakness !== undefined && { doubt: weakness }),
      ...(echoes.length > 0 && { echoes }),
    })
    return line?.isProduct === true ? doubt : undefined
  }

  /** Removes the call's own words from a browser's output. `whole` has the values that were typed, too. */
  #quotable({ kind, input, step }: OpenCall, output: string): readonly [text: string, whole?: string] {
    if (kind !== 'browser') return [output]
    this.#isOwnPage ||= opensOwnPage(input)
    if (this.#isOwnPage) return ['']
    const text = withoutTyped(output, step, this.#typed)
    const quotable = quotableText(text, input)
    return text === output ? [quotable] : [quotable, quotableText(output, input)]
  }

  #add(
    { step, kind, title, directory }: OpenCall,
    { id, output, exitCode }: ToolResult,
    { at, ...judged }: Pick<JournalEntry, 'at' | 'activity' | 'denied'>,
  ): void {
    const { ground, file, redact } = this.#options
    const shown = redact(output)
    // Only calls that mdtest ran have a `directory`. Their output is recorded as a whole.
    if (directory !== undefined) this.#wholeCharacters += output.length
    const isWhole = directory !== undefined && this.#wholeCharacters <= maxWholeCharacters
    const entry: JournalEntry = {
      ...{ id, at, step, kind, title: redact(title) },
      ...(exitCode !== undefined && Number.isInteger(exitCode) && { exitCode }),
      ...(directory !== undefined && { directory }),
      ...(isWhole && { output: shown }),
      // Keep only the characters that `formatJournalEntry` writes, to save memory.
      excerpt: this.#entries.length < maxExcerpts ? ownCopy(shown.slice(0, maxExcerptCharacters + 1)) : '',
      ...judged,
    }
    this.#entries.push(entry)
    if (this.#isOpened) orNothing(() => appendFile(ground, file, formatJournalEntry(entry)))
  }

  #deny(id: string): void {
    this.#denied.add(id)
    const index = this.#entries.findIndex((entry) => entry.id === id)
    const entry = this.#entries[index]
    if (entry === undefined || entry.denied === true) return
    this.#entries[index] = { ...entry, denied: true, activity: false }
  }
}

const failed = 'the call failed, and its output shows only that. Quote what the page showed.'
const typedAlone =
  'a field shows what was typed into it. Quote what else the page shows, or open `about:blank`, then the page, with `browser_navigate`, and quote the field then.'

function printed({ use }: SeenCall, output: string): string {
  const text = withoutLoneBytes(keptPart(output))
  return use === 'numbered' ? text.replace(/^ *\d+[\t→]/gm, '') : text
}

const maxSpecBytes = 512 * 1024 * 1024

const argumentsSchema = z.object({ step: z.string(), status: z.string().optional() })

/** Compares only step and status, because mdtest may have corrected other fields. */
function matchesReport(input: unknown, { id, status }: StepReport): boolean {
  const told = argumentsSchema.safeParse(typeof input === 'string' ? parseJson(input) : input)
  return !told.success || (told.data.step === id && (told.data.status ?? status) === status)
}
