import { basename, dirname, relative, resolve } from 'node:path'
import { lineFacts, type LineFacts } from '../../executor/line-facts.ts'
import { statsOf } from '../../executor/directories.ts'
import { realPathOf, type Ground } from '../../system/files/ground.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { AgentEvent, ToolCall } from '../../agents/agent.ts'
import { ownTools } from '../../agents/report-access.ts'
import { formatJournalEntry, maxExcerptCharacters, type JournalEntry } from '../../records/journal/journal.ts'
import { appendFile, replaceFile } from '../../system/files/write-file.ts'
import { ownCopy } from '../../system/own-copy.ts'
import type { StepReport } from '../../records/result-log/result-log.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ObservedCall } from '../../verdict/verdict.ts'
import { Condition } from '../../system/condition.ts'
import { withoutLoneBytes } from '../../system/text/byte-text.ts'
import { matchesReport } from './matches-report.ts'
import type { WrittenFile } from '../guard/source-watch.ts'
import { isAllowed } from '../guard/source-guard.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { keptPart, KeptOutputs } from './kept-outputs.ts'
import { isProductActivity, type SpecPaths } from './is-product-activity.ts'
import type { ToolOutput } from './find-quote.ts'
import { doubtOfCall, type SeenCall } from './classify-call.ts'
import { OwnWords, SpecWords } from './own-words.ts'
import { opensOwnPage, quotableText } from '../../agents/browser/quotable-text.ts'

interface WriterOptions extends SpecPaths {
  /** Of the log folder. */
  readonly ground: Ground
  /** Absolute path of the journal. */
  readonly file: string
  /** Ids of the steps that were asked for, in order. */
  readonly steps: readonly string[]
  readonly now: () => Date
  /** Rules of `allow`. */
  readonly allow: readonly string[]
  /** Names of MCP servers of the spec. */
  readonly servers: readonly string[]
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  /** Takes secrets out of what is written. Default: nothing is taken out. */
  readonly redact?: Redact
  /** Given where mdtest itself does what the agent wants: the step under way. Nothing else is recorded then. */
  readonly stepOfExecutor?: () => string | undefined
  /**
   * Whether a \`cd\` in the agent's shell may last for later commands.
   * @default false
   */
  readonly keepsDirectory?: boolean
  /**
   * Front matter \`writes\`, whose files the agent was asked to write.
   * @default []
   */
  readonly writes?: readonly string[]
}

interface OpenCall extends SeenCall {
  /** Milliseconds since 1970. */
  readonly begunAtMs: number
  readonly written: readonly string[]
  readonly created: readonly string[]
  readonly step: string | null
}

type ToolResult = Extract<AgentEvent, { type: 'tool-result' }>

/** Later entries have no excerpt: all entries stay in memory. */
const maxExcerpts = 10_000
/** Of all whole outputs together, in UTF-16 code units: later entries have the excerpt alone. */
const maxWholeCharacters = 32 * 1024 * 1024
const alone = 'Give it what the spec says, and nothing else.'

/**
 * Records the tool calls in an agent's stream, each with the step that was under way. There is a journal only for a
 * stream with a proper beginning.
 */
export class JournalWriter {
  readonly #outputs = new KeptOutputs()
  readonly #spec: SpecWords
  /** What the agent gave the product, or wrote into files. */
  readonly ownWords: OwnWords
  readonly #written: WrittenFile[] = []
  readonly #options: Omit<WriterOptions, 'redact'> & { readonly redact: Redact }
  /** Files that the agent may have written, by real path. */
  readonly #ownFiles = new Set<string>()
  /** Files into which the product alone printed, by real path. */
  readonly #filesOfProduct = new Set<string>()
  /** Why the product works on what the agent made, from some call on. */
  #taint: string | undefined
  /** Where the agent's shell may be. */
  #directories: readonly string[]
  readonly #entries: JournalEntry[] = []
  readonly #open = new Map<string, OpenCall>()
  readonly #denied = new Set<string>()
  readonly #pages = new PageQuotes()
  /** Notified of each call. */
  readonly #calls = new Condition()
  /** Arguments of the reports in the stream. */
  readonly #reportsSeen = new Map<string, unknown>()
  #isOpened: boolean
  #isStreamOpened = false
  #wholeCharacters = 0
  /** How many answers to reports the stream showed: the steps before this index are done. */
  #reported = 0

  constructor(options: WriterOptions) {
    this.#options = { redact: (text) => text, ...options }
    this.#isOpened = options.stepOfExecutor !== undefined
    const text = [options.specFile, ...(options.includedFiles ?? [])].map(readSpecText).join('\n')
    this.#spec = new SpecWords(text)
    this.ownWords = new OwnWords(this.#spec)
    this.#directories = [options.cwd]
  }

  /** What product activity printed. Nobody can quote sentences of the spec: reading it is no activity. */
  get outputs(): readonly ToolOutput[] {
    return this.#outputs.all
  }

  /** How many older outputs were dropped. */
  get droppedOutputs(): number {
    return this.#outputs.droppedCount
  }

  /** Files that tools for editing wrote. */
  get written(): readonly WrittenFile[] {
    return this.#written
  }

  /** Whether a file (absolute path, links resolved) holds words of the agent's own. */
  isOwnFile(file: string): boolean {
    return this.#ownFiles.has(file)
  }

  /** For the verdict; nothing where there is no journal. */
  get observedCalls(): readonly ObservedCall[] | undefined {
    if (!this.#isOpened) return undefined
    return this.#entries.map(({ step, activity, denied }) => ({ step, activity, ...(denied && { denied }) }))
  }

  /** Something was read in the agent's own stream. */
  onEvent(event: AgentEvent): void {
    if (event.type === 'opened') this.#isStreamOpened = true
    if (event.type === 'tool-call' && isReport(event)) this.#reportsSeen.set(event.id, event.reported)
    if (event.type === 'denial' && event.id !== undefined && this.#reportsSeen.has(event.id)) this.#denied.add(event.id)
    if (this.#options.stepOfExecutor === undefined) this.#record(event)
  }

  /** mdtest itself did something. Gives why nothing can be quoted of the result of a command that is no mere look. */
  onHand(event: AgentEvent): string | undefined {
    return this.#record(event)
  }

  #record(event: AgentEvent): string | undefined {
    switch (event.type) {
      case 'opened':
        this.#isOpened = true
        break
      case 'tool-call':
        this.#begin(event)
        break
      case 'tool-result':
        return this.#complete(event)
      case 'denial':
        if (event.id !== undefined) this.#deny(event.id)
        break
      default:
    }
    return undefined
  }

  /** Waits until the stream shows the report that the agent waits on; false after `limitMs`. */
  async seesReport(limitMs: number): Promise<boolean> {
    if (this.#options.stepOfExecutor !== undefined) return true
    const report = await this.#calls.waitFor(() => [...this.#open.values()].find(isReport), limitMs)
    return report !== undefined && this.#isOpened
  }

  /**
   * After the agent's end: ids of the steps whose reports the stream does not show, though they had the scenario's token.
   * None where there was no stream.
   */
  unseenReports(reports: readonly StepReport[]): readonly string[] {
    if (!this.#isStreamOpened) return []
    const seen = [...this.#reportsSeen].filter(([id]) => !this.#denied.has(id)).map(([, input]) => input)
    return reports.filter((report) => !seen.some((input) => matchesReport(input, report))).map(({ id }) => id)
  }

  /** After the agent's end: writes the file anew. A call may have been refused later, or the agent wrote to the file. */
  close(): void {
    const entries = this.#isOpened ? this.#entries : []
    const { ground, file } = this.#options
    quietly(() => replaceFile(ground, file, entries.map(formatJournalEntry).join('')))
  }

  #begin({ id, reported: _reported, written = [], created = [], ...call }: ToolCall): void {
    const { stepOfExecutor, steps } = this.#options
    const step = stepOfExecutor === undefined ? steps[this.#reported] : stepOfExecutor()
    const begunAtMs = this.#options.now().getTime()
    this.#open.set(id, { ...call, written, created, step: step ?? null, begunAtMs })
    this.#calls.notify()
  }

  #complete({ id, isError, output, exitCode, endedAtMs }: ToolResult): string | undefined {
    const call = this.#open.get(id)
    if (call === undefined) return undefined
    this.#open.delete(id)
    if (isReport(call) && !isError) this.#reported += 1
    const isDenied = this.#denied.has(id)
    const directories = call.directory === undefined ? this.#directories : [call.directory]
    const line = call.kind === 'command' ? this.#factsOf(call.title, directories) : undefined
    if (!isDenied) this.#noteOwn(call, { isError, directories, ...(line && { line }) })
    const text = this.#pages.quotable(call, { text: printed(call, output), isError })
    const activity = !isDenied && isProductActivity(call, this.#options)
    const doubt = doubtOfCall(call, line, {
      ...this.#options,
      directories,
      evidenceDir: this.#options.logFile.replace(/\.log\.md$/, ''),
      ownFiles: this.#ownFiles,
      filesOfProduct: this.#filesOfProduct,
      taint: this.#taint,
      isExecutor: this.#options.stepOfExecutor !== undefined,
    })
    if (!isDenied && line !== undefined) this.#noteWay(line, call.title)
    const nowMs = this.#options.now().getTime()
    const at = new Date(Math.min(endedAtMs ?? nowMs, nowMs))
    const { kind, title, step } = call
    this.#add({
      id,
      at: at.toISOString(),
      step,
      kind,
      title: this.#options.redact(title),
      ...(Number.isInteger(exitCode) && { exitCode }),
      ...this.#placeOf(call, output),
      excerpt: this.#excerptOf(output),
      ...(isDenied && { denied: true as const }), // the schema knows no `false`
      activity,
    })
    if (isDenied || (!activity && doubt !== undefined)) return undefined
    const ended = line?.endsInProduct === true && exitCode !== undefined ? `\nExit code ${exitCode}` : ''
    this.#outputs.add({
      endedAtMs: at.getTime(),
      text: (text === '' && ended !== '' ? 'No output' : text) + ended,
      step,
      isFailure: isError && kind === 'browser',
      hasTexts: kind === 'browser' || kind === 'mcp',
      ...(doubt !== undefined && { doubt }),
    })
    return line?.isProduct === true ? doubt : undefined
  }

  #factsOf(title: string, directories: readonly string[]): LineFacts {
    const { allow, cwd } = this.#options
    const isNamed = (path: string): boolean => [path, relative(cwd, path)].some((one) => this.#spec.names(one))
    return lineFacts(title, { allow, home: cwd, directories, isNamed })
  }

  /** What the agent made proves nothing: neither a file of its own, nor its words in the product. */
  #noteOwn(
    call: OpenCall,
    { isError, directories, line }: { isError: boolean; directories: readonly string[]; line?: LineFacts },
  ): void {
    const { cwd } = this.#options
    const at = directories[0] ?? cwd
    if (line?.isOfProduct === true)
      for (const file of line.written) this.#filesOfProduct.add(realPathOf(resolve(at, file)))
    const files = line === undefined ? (call.use === 'edit' ? call.files : []) : this.#writtenBy(line, call, at)
    for (const file of files) {
      const path = resolve(at, file)
      this.#ownFiles.add(realPathOf(path))
      if (isError || this.#options.stepOfExecutor !== undefined) continue
      // Who executes itself may write anything; mdtest writes for an agent only where that may.
      this.#written.push({ path, ...(call.step !== null && { stepId: call.step }) })
      if (this.#isDataOfProduct(path))
        this.#taint ??= `You wrote \`${file}\` yourself, where the product works. ${alone}`
    }
    if (line !== undefined) {
      this.ownWords.add(line.given)
      this.ownWords.addRows(line.rows)
      for (const path of new Set(line.givenFiles)) {
        const name = relative(cwd, path)
        if (!this.#spec.names(name) && !this.#spec.names(path)) this.ownWords.addFile(path)
      }
    } else if (call.kind === 'mcp' && !isReport(call)) this.ownWords.add(stringsIn(call.input))
    if (isError || this.#isOfLog(call)) return
    this.ownWords.add(call.written)
    for (const file of call.created) this.ownWords.addFile(resolve(cwd, file))
  }

  /** What a line writes itself, and what changed meanwhile of what it may have written. */
  #writtenBy({ written, touched, isOfProduct }: LineFacts, { begunAtMs }: OpenCall, at: string): readonly string[] {
    if (isOfProduct) return []
    const changed = touched.filter((file) => {
      const stats = statsOf(resolve(at, file))
      return stats?.isFile() === true && stats.ctimeMs >= begunAtMs
    })
    return [...written, ...changed]
  }

  /** Whether a file that the agent wrote may be one that the product reads without being told. */
  #isDataOfProduct(path: string): boolean {
    const { cwd, logFile, writes = [] } = this.#options
    const name = relative(cwd, path)
    const isInPlace = isInside(path, cwd) && !isInside(path, dirname(logFile))
    return isInPlace && !isAllowed(name, writes) && !this.#spec.names(name)
  }

  /** Where the shell is behind a line, and whether it gave the product what nobody knows. */
  #noteWay({ directoriesAfter, rewriter, stranger }: LineFacts, title: string): void {
    const { keepsDirectory = false, cwd } = this.#options
    if (keepsDirectory) this.#directories = [...new Set([cwd, ...directoriesAfter])]
    if (rewriter !== undefined)
      this.#taint ??= `\`${title}\` gave the product what \`${rewriter}\` made, which may be anything. ${alone}`
    if (stranger !== undefined)
      this.#taint ??= `\`${stranger}\` ran before, which no rule names: what the product shows may be its work.`
  }

  /** Whether the call writes the result log: quotes in it are no words of the agent in a file. */
  #isOfLog({ title, files, written }: OpenCall): boolean {
    const { cwd, logFile } = this.#options
    if (files.length > 0) return files.every((file) => resolve(cwd, file) === logFile)
    return written.length === 0 && title.includes(basename(logFile)) && /---\s+[\s\S]*\bstatus:/.test(title)
  }

  /** What mdtest itself did is recorded whole. */
  #placeOf({ directory }: OpenCall, output: string): Pick<JournalEntry, 'directory' | 'output'> {
    if (directory === undefined) return {}
    this.#wholeCharacters += output.length
    const isKept = this.#wholeCharacters <= maxWholeCharacters
    return { directory, ...(isKept && { output: this.#options.redact(output) }) }
  }

  /** Cut here as well, for memory. */
  #excerptOf(output: string): string {
    if (this.#entries.length >= maxExcerpts) return ''
    return ownCopy(this.#options.redact(output).slice(0, maxExcerptCharacters + 1))
  }

  #add(entry: JournalEntry): void {
    this.#entries.push(entry)
    const { ground, file } = this.#options
    if (this.#isOpened) quietly(() => appendFile(ground, file, formatJournalEntry(entry)))
  }

  #deny(id: string): void {
    this.#denied.add(id)
    const index = this.#entries.findIndex((entry) => entry.id === id)
    const entry = this.#entries[index]
    if (entry === undefined || entry.denied === true) return
    this.#entries[index] = { ...entry, denied: true, activity: false }
  }
}

function stringsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input]
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(stringsIn) : []
}

function isReport({ tool }: Pick<SeenCall, 'tool'>): boolean {
  return tool === `${ownTools}report_step`
}

/** A tool may put a number in front of each line of a file. */
function printed({ use }: Pick<SeenCall, 'use'>, output: string): string {
  // As the agent sees it.
  const text = withoutLoneBytes(keptPart(output))
  return use === 'numbered' ? text.replace(/^ *\d+[\t→]/gm, '') : text
}

/** The journal on disk is for readers: the verdict does not depend on it. */
function quietly(write: () => void): void {
  try {
    write()
  } catch {
    // A full disk, a folder that is gone or a link in its place: the run goes on.
  }
}

const maxBytes = 512 * 1024 * 1024

/** The text of a spec; nothing where it cannot be read. */
function readSpecText(specFile: string): string {
  // It may be gone, or a pipe by now: the agent cannot read it either.
  return readForeignFile(specFile, maxBytes)?.toString('utf8') ?? ''
}

/** Knows what agents may quote of the output of browser tools. The agent `browser` does this itself. */
export class PageQuotes {
  /** The agent has opened a page of its own: later output may be of that page. */
  #isOwnPage = false

  /** What a call printed, without the words of its caller. All of it where the arguments are unknown. */
  quotable(
    { kind, input }: Pick<SeenCall, 'kind' | 'input'>,
    output: { readonly text: string; readonly isError: boolean },
  ): string {
    if (kind !== 'browser' || input === undefined) return output.text
    this.#isOwnPage ||= opensOwnPage(input)
    return this.#isOwnPage ? '' : quotableText(output, input)
  }
}
