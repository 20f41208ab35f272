import { basename, dirname, relative, resolve } from 'node:path'
import type { ToolCall, AgentEvent } from '../../agents/agent.ts'
import { lineFacts, type LineFacts } from '../../permissions/line-evidence.ts'
import { readRules } from '../../permissions/allow-rules.ts'
import { permit } from '../../permissions/permit.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { readProgramStamp } from '../guard/file-state.ts'
import type { WrittenFile } from '../guard/source-watch.ts'
import type { ToolOutput } from './kept-outputs.ts'
import { isFramed, OwnWords, SpecWords } from './agents-own-words.ts'
import { isInside, statsOf } from '../../system/files/paths.ts'
import { stringsIn, typedIn } from '../../agents/browser/quotable-page-text.ts'
import { ownTools } from '../../agents/report-access.ts'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

export type SeenCall = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files' | 'input' | 'directory'>

export interface EndedCall extends SeenCall, Required<Pick<ToolCall, 'written' | 'created'>> {
  readonly isError: boolean
  readonly begunAtMs: number
  readonly endedAtMs: number
  readonly earlier?: readonly ToolOutput[]
  readonly step: string | null
}

export function isReport({ tool }: Pick<SeenCall, 'tool'>): boolean {
  return tool === `${ownTools}report_step`
}

export interface OwnWorkOptions {
  readonly cwd: string
  readonly logFile: string
  readonly allow: readonly string[]
  readonly servers: readonly string[]
  readonly startedAtMs: number
  readonly isExecutor: boolean
  readonly scratchDir?: string | undefined
  readonly keepsDirectory?: boolean
  readonly mayWrite?: (name: string) => boolean
}

const byItself = 'That proves nothing. Run the product, and quote what it prints.'
const asTold = 'Give it what the spec says, and nothing else.'

/** Tools that give a page text. Others, such as `browser_wait_for`, name what the page shows. */
const givesPage = /(?:navigate|type|fill_form|select_option|handle_dialog|tabs)$/

/** Limit for words of a call that are looked up in earlier outputs. */
const maxMinted = 50

/**
 * Separates the product's output from the agent's own words. The agent may quote programs that `allow` names, files
 * that the product changed, mdtest's browser, and the spec's MCP servers.
 */
export class OwnWork {
  readonly words: OwnWords
  /** Files that the agent wrote without mdtest, with its own tools or command lines. */
  readonly written: WrittenFile[] = []
  readonly #options: OwnWorkOptions
  readonly #spec: SpecWords
  readonly #files = new Set<string>()
  readonly #filesOfProduct = new Set<string>()
  readonly #echoes: string[] = []
  /** Words that the agent passed to calls and that no command had printed before. */
  readonly #passed: string[] = []
  /** Why output is no evidence from now on. For example, the agent wrote a file that the product reads. */
  #taint: string | undefined
  #directories: readonly string[]
  #variables: LineFacts['variablesAfter'] = new Map()
  /** When the last call ended. What changed since then is the work of the next call. */
  #lastEndMs: number

  constructor(specText: string, options: OwnWorkOptions) {
    this.#options = options
    this.#spec = new SpecWords(specText)
    this.words = new OwnWords(this.#spec)
    this.#directories = [options.cwd]
    this.#lastEndMs = options.startedAtMs
  }

  isOwnFile(file: string): boolean {
    return this.#files.has(file)
  }

  /** `doubt`: why the call's output is no evidence. `echoes`: the agent's words that the output may repeat. */
  take(call: EndedCall): {
    readonly line?: LineFacts | undefined
    readonly doubt?: string | undefined
    readonly echoes?: readonly string[]
  } {
    const line = call.kind === 'command' ? this.#factsOf(call) : undefined
    this.#note(call, line)
    if (line !== undefined) this.#noteEnd(line, call)
    this.#lastEndMs = call.endedAtMs
    return { line, doubt: this.#doubtOf(call, line), echoes: this.#echoesOf(call, line) }
  }

  /** `cat file` and `echo $x` can print words of any earlier command. So these words are included. */
  #echoesOf({ kind, input, directory, earlier = [] }: EndedCall, line: LineFacts | undefined): readonly string[] {
    if (kind === 'browser') return []
    const at = this.#directoriesOf(directory)[0] ?? this.#options.cwd
    const isKnown = (word: string): boolean => {
      const path = resolve(at, word)
      return statsOf(path)?.isFile() === true && !this.#files.has(realPathOf(path))
    }
    const passed = [...(line?.given ?? stringsIn(input)), ...(line?.words ?? [])]
    const minted = new Set(passed.slice(0, maxMinted).filter((word) => this.#isMinted(word, earlier)))
    const rules = readRules(this.#options.allow).flatMap(({ words }) => words)
    const isOwn = (word: string): boolean => !minted.has(word) && !rules.includes(word) && !isKnown(word)
    const own = this.words.echoable([...passed, ...(line?.rows ?? [])].filter(isOwn))
    this.#passed.push(...passed.filter((word) => isFramed(word) && !minted.has(word)))
    if (line !== undefined && line.lookedAt === undefined) this.#echoes.push(...own.filter(isFramed))
    const isOpen = kind === 'file' || line?.lookedAt !== undefined || line?.words.some((word) => word.includes('$'))
    return isOpen ? [...this.#echoes, ...own] : own
  }

  /** Whether a command printed a word, such as the id of a new order, before the agent passed the word to a call. */
  #isMinted(word: string, earlier: readonly ToolOutput[]): boolean {
    if (!isFramed(word) || /\s/.test(word) || this.#spec.names(word)) return false
    if (this.#passed.some((text) => text.includes(word))) return false
    const whole = new RegExp(`(?<![\\w.-])${quoteRegex(word)}(?![\\w-])`)
    return earlier.some(({ doubt, hasTexts, text }) => doubt === undefined && hasTexts !== true && whole.test(text))
  }

  #factsOf({ title, directory }: SeenCall): LineFacts {
    const { allow, cwd: home, scratchDir, mayWrite = () => false } = this.#options
    const isNamed = (path: string): boolean => this.#isNamed(path)
    const isOwn = (path: string): boolean => this.#files.has(realPathOf(path)) && !mayWrite(relative(home, path))
    const isAsked = (text: string): boolean => this.#spec.asksToRun(text)
    const [directories, variables] = [this.#directoriesOf(directory), this.#variables]
    const facts = lineFacts(title, { allow, home, directories, scratchDir, variables, isNamed, isOwn, isAsked })
    this.#variables = facts.variablesAfter
    return facts
  }

  #note(call: EndedCall, line: LineFacts | undefined): void {
    if (call.kind === 'mcp' && !isReport(call)) this.words.add(stringsIn(call.input))
    if (call.kind === 'browser' && givesPage.test(call.tool)) this.words.addTyped(typedIn(call.input))
    if (!call.isError && !this.#isOfLog(call)) {
      this.words.add(call.written)
      for (const file of call.created) this.words.addFile(resolve(this.#options.cwd, file))
    }
    const at = this.#directoriesOf(call.directory)[0] ?? this.#options.cwd
    for (const file of line?.made ?? []) this.#filesOfProduct.add(realPathOf(resolve(at, file)))
    const files = line === undefined ? (call.use === 'edit' ? call.files : []) : writtenBy(line, call, at)
    for (const file of files) this.#noteFile(resolve(at, file), call)
    if (line === undefined) return
    this.words.add(line.given)
    this.words.addRows(line.rows)
    this.words.addTemplates(line.templates)
    for (const path of new Set(line.givenFiles))
      if (!this.#isNamed(path) && !this.#isOfProduct([path], call)) this.words.addFile(path)
  }

  #doubtOf(call: SeenCall, line: LineFacts | undefined): string | undefined {
    const { kind, tool, files, use } = call
    if (kind === 'browser') return undefined
    if (line !== undefined) {
      if (line.lookedAt !== undefined && this.#isOfProduct(line.lookedAt, call)) return this.#taint
      return line.doubt ?? this.#taint ?? this.#shellDoubt(call)
    }
    if (kind === 'file')
      return use !== 'list' && this.#isOfProduct(files, call) ? this.#taint : `\`${tool}\` only reads. ${byItself}`
    const isOfSpec = kind === 'mcp' && this.#options.servers.some((name) => tool.startsWith(`mcp__${name}__`))
    return isOfSpec ? this.#taint : `\`${tool}\` is no part of the product. ${byItself}`
  }

  #noteEnd({ directoriesAfter, rewriter, stranger }: LineFacts, { title }: SeenCall): void {
    const { keepsDirectory = false, cwd } = this.#options
    if (keepsDirectory) this.#directories = [...new Set([cwd, ...directoriesAfter])]
    if (rewriter !== undefined)
      this.#taint ??= `\`${title}\` gave the product what \`${rewriter}\` made, which may be anything. ${asTold}`
    if (stranger !== undefined)
      this.#taint ??= `\`${stranger}\`, which no rule names, ran before: what the product shows may come from it.`
  }

  /** Whether the call writes the result log. The log quotes outputs, so its words are not the agent's own. */
  #isOfLog({ title, files, written }: EndedCall): boolean {
    const { cwd, logFile } = this.#options
    if (files.length > 0) return files.every((file) => resolve(cwd, file) === logFile)
    return written.length === 0 && title.includes(basename(logFile)) && /---\s+[\s\S]*\bstatus:/.test(title)
  }

  #directoriesOf(directory: string | undefined): readonly string[] {
    return directory === undefined ? this.#directories : [directory]
  }

  #isNamed(path: string): boolean {
    return [path, relative(this.#options.cwd, path)].some((one) => this.#spec.names(one))
  }

  #noteFile(path: string, { isError, step }: EndedCall): void {
    this.#files.add(realPathOf(path))
    if (this.#options.mayWrite?.(relative(this.#options.cwd, path)) === true) this.words.addFile(path)
    // With an executor, mdtest itself wrote the file and checked that the agent may write there.
    if (this.#options.isExecutor || (isError && !isChanged(path, this.#lastEndMs))) return
    this.written.push({ path, ...(step !== null && { stepId: step }) })
    if (this.#isDataOfProduct(path))
      this.#taint ??= `You wrote \`${path}\` yourself, where the product works. ${asTold}`
  }

  #isDataOfProduct(path: string): boolean {
    const { cwd, logFile, mayWrite = () => false } = this.#options
    const isInPlace = isInside(path, cwd) && !isInside(path, dirname(logFile))
    return isInPlace && !mayWrite(relative(cwd, path)) && !this.#isNamed(path)
  }

  /** Why mdtest's executor would refuse this command. An agent's own shell runs it, but the output is no evidence. */
  #shellDoubt({ title, directory }: SeenCall): string | undefined {
    const { allow, cwd, isExecutor } = this.#options
    if (isExecutor) return undefined
    const permission = permit(title, {
      allow: allow.some((rule) => rule.startsWith('Bash')) ? allow : ['Bash(*)'],
      directories: this.#directoriesOf(directory),
      home: cwd,
      roots: ['/'],
      isWritable: () => true,
      isOwn: (file) => this.#files.has(realPathOf(file)),
      environment: new Set(),
    })
    return permission.ok ? undefined : permission.message
  }

  #isOfProduct(files: readonly string[], { directory }: SeenCall): boolean {
    const { cwd, logFile, startedAtMs } = this.#options
    const [at = cwd, ...others] = this.#directoriesOf(directory)
    const roots = [cwd, logFile.replace(/\.log\.md$/, '')].map(realPathOf)
    const found = files.flatMap((file) => {
      const path = realPathOf(resolve(at, file))
      const stats = statsOf(path)
      return stats?.isFile() === true ? [{ path, stats }] : []
    })
    const isMade = ({ path, stats }: (typeof found)[number]): boolean =>
      !this.#files.has(path) &&
      (this.#filesOfProduct.has(path) || (stats.ctimeMs >= startedAtMs && roots.some((root) => isInside(path, root))))
    return others.length === 0 && found.length > 0 && found.every(isMade)
  }
}

function writtenBy({ written, touched }: LineFacts, { begunAtMs }: EndedCall, at: string): readonly string[] {
  return [...written, ...touched.filter((file) => isChanged(resolve(at, file), begunAtMs))]
}

function isChanged(path: string, sinceMs: number): boolean {
  const stats = statsOf(path)
  return stats?.isFile() === true && stats.ctimeMs >= sinceMs
}

type AgentError = Extract<AgentEvent, { readonly type: 'error' }>

const maxTitleCharacters = 200

/** Finds commands and edits in the agent's stream that bypass mdtest's tools. Reading does not count. */
export class ActsPastExecutor {
  readonly #open = new Map<string, ToolCall>()

  /** Reports a call that was carried out. Calls of disabled tools fail, so they are not reported. */
  onEvent(event: AgentEvent): AgentError | undefined {
    if (event.type === 'tool-call' && isAct(event)) this.#open.set(event.id, event)
    if (event.type === 'denial' && event.id !== undefined) this.#open.delete(event.id)
    if (event.type !== 'tool-result') return undefined
    const call = this.#open.get(event.id)
    this.#open.delete(event.id)
    // A command with an exit code did run, even if it failed.
    const isDone = !event.isError || (event.exitCode !== undefined && event.exitCode >= 0)
    if (call === undefined || !isDone) return undefined
    return {
      type: 'error',
      cause: 'executor',
      message: `it called \`${call.tool}\` (${call.title.slice(0, maxTitleCharacters)}).`,
    }
  }
}

function isAct({ kind, use, tool }: ToolCall): boolean {
  if (kind === 'mcp' || kind === 'browser') return !tool.startsWith(ownTools)
  return kind === 'command' || use === 'edit'
}

/** Notices writes to the product's files, even if the agent restores the old content afterwards. */
export class ProductFiles {
  readonly #stamps: Map<string, string>

  constructor(cwd: string, allow: readonly string[]) {
    const files = readRules(allow)
      .flatMap(({ words }) => words)
      .map((word) => resolve(cwd, word))
    this.#stamps = new Map([...new Set(files)].map((file) => [file, readProgramStamp(file).stamp]))
  }

  rewritten(stepId: string | undefined): readonly WrittenFile[] {
    return [...this.#stamps].flatMap(([path, before]) => {
      const { stamp } = readProgramStamp(path)
      this.#stamps.set(path, stamp)
      return stamp === before ? [] : [{ path, ...(stepId !== undefined && { stepId }) }]
    })
  }
}
