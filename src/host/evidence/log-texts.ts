import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { groundAt } from '../../system/files/ground.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { SeenCall } from './is-product-activity.ts'
import { compileGlob } from '../../system/files/match-glob.ts'
import { collapse } from './quotable-lines.ts'
import { readShell } from '../../system/text/read-shell.ts'

interface LogTextOptions {
  /** Absolute path of the directory in which the agent works. */
  readonly cwd: string
  /** Absolute path of the result log of this run; its folder holds those of others. */
  readonly logFile: string
}

/** How much of all logs is read, in bytes, the newest first. */
const maxBytes = 8 * 1024 * 1024
const maxFiles = 200
/** How many words of a command may name files. */
const maxWords = 200

/**
 * Knows the text of mdtest's own files, of this run and of earlier ones: result logs, journals, verdicts, agents' own
 * output. They hold what the product printed before, so that they prove nothing.
 */
export class LogTexts {
  readonly #options: LogTextOptions
  /** Files that the agent wrote without the product: some may be copies of logs. */
  readonly #copies = new Set<string>()
  #files: readonly string[] | undefined
  #text: string | undefined

  constructor(options: LogTextOptions) {
    this.#options = options
  }

  /**
   * What a call printed, without lines of logs. The product may print again what a log quotes. So a line counts as a line
   * of a log only if it has the form of one, or if the call only looks at files and may have looked at logs.
   *
   * @param runsNoProduct whether the call runs nothing that could be the product
   */
  without(call: SeenCall, text: string, runsNoProduct: boolean): string {
    const names = this.#namesIn(call)
    const productFiles = (): readonly string[] => names.files.filter((file) => this.#isOfProduct(file))
    const isOpen = runsNoProduct && names.shows && (names.isOpen || productFiles().length === 0)
    if (runsNoProduct && (names.isLog || isOpen)) for (const file of names.written) this.#copies.add(file)
    if (!names.isLog && !isOpen && !logLine.test(text)) return text
    let productText: string | undefined
    const isOfProduct = (line: string): boolean => {
      productText ??= productFiles()
        .map((file) => collapse(textOf(file)))
        .join('\n')
      return productText.includes(line)
    }
    const known = this.#known()
    const isKept = (shown: string): boolean => {
      const { path, line } = withoutPrefix(shown, this.#options.cwd)
      if (line === '') return true
      if (runsNoProduct && names.isLog) return isOfProduct(line)
      if (!known.includes(line)) return true
      if (logLine.test(line)) return false
      if ((!isOpen && !names.isLog) || isOfProduct(line)) return true
      return path !== undefined && this.#isOfProduct(path)
    }
    return text.split('\n').filter(isKept).join('\n')
  }

  #isOfProduct(file: string): boolean {
    return !this.#isLogFile(file) && !this.#copies.has(file)
  }

  /** Logs lie in a folder of logs, and not deeper: below it is evidence. */
  #isLogFile(file: string): boolean {
    const folder = dirname(file)
    return (
      folder === dirname(this.#options.logFile) || folder.endsWith('.logs') || basename(file) === 'EXECUTION-LOG.md'
    )
  }

  #namesIn({ kind, use, title, files }: SeenCall): NamedFiles {
    const { cwd } = this.#options
    if (kind !== 'command') {
      const named = files.map((file) => resolve(cwd, file))
      return {
        files: named,
        written: [],
        isLog: named.some((file) => this.#isLogFile(file)),
        isOpen: false,
        shows: use !== 'list',
      }
    }
    const words = readShell(title)
      .flatMap((command) => command.words)
      .slice(0, maxWords)
    const folders = [cwd, ...words.flatMap((word, index) => (words[index - 1] === 'cd' ? resolve(cwd, word) : []))]
    const found = words.flatMap((word) => folders.flatMap((folder) => expand(folder, word)))
    const written = words.flatMap((word) => folders.map((folder) => resolve(folder, word)))
    return {
      files: found,
      written: />|\btee\b|\bcp\b|\bmv\b|\bln\b|\bdd\b/.test(title) ? written : [],
      isLog: found.some((file) => this.#isLogFile(file)),
      isOpen: /[$`]|\bxargs\b|\bfind\b|\s-\w*[rR]|--recursive|\brg\b/.test(title),
      shows: words.some((word) => shower.test(word)),
    }
  }

  #known(): string {
    this.#files ??= this.#list()
    this.#text ??= readAll(this.#files)
    return this.#text + readAll([this.#options.logFile])
  }

  /** Of this spec and of those beside it. */
  #list(): readonly string[] {
    const folder = dirname(this.#options.logFile)
    const beside = namesIn(dirname(folder)).filter((name) => name.endsWith('.logs'))
    const folders = new Set([folder, ...beside.map((name) => join(dirname(folder), name))])
    const logs = [...folders].flatMap((each) => namesIn(each).map((name) => join(each, name)))
    // The agent's own output of this run holds all that is printed now.
    const stem = this.#options.logFile.replace(/\.log\.md$/, '')
    const earlier = logs.filter((file) => !file.startsWith(stem))
    const newest = earlier.toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1)).slice(0, maxFiles)
    return [join(this.#options.cwd, 'EXECUTION-LOG.md'), ...newest]
  }
}

interface NamedFiles {
  readonly files: readonly string[]
  readonly written: readonly string[]
  readonly isLog: boolean
  /** Whether it may look at files that it does not name. */
  readonly isOpen: boolean
  /** Whether it shows what is in files, not only their names. */
  readonly shows: boolean
}

const shower =
  /^(?:\S*\/)?(?:cat|head|tail|sed|nl|less|more|bat|e?f?grep|rg|[gm]?awk|jq|yq|cut|sort|uniq|tac|rev|strings|xxd|od|column|paste|fold|tr|comm|diff|xargs|dd|read|base64)$/

/** A line of a result log, a journal or a verdict. */
const logLine =
  /^\W*(?:quote|observed|written-by|run|status|evidence|assurance|outcome|message|excerpt|title)"?: ?\S|"(?:excerpt|observed|quote|assurance|activity)":/m

/** `notes.txt:12:` and `12:`, as searches put it in front of a line, and numbers as `cat -n` does. */
function withoutPrefix(shown: string, cwd: string): { readonly path?: string; readonly line: string } {
  const [, path, rest] = /^([^\s:]+):(?:\d+:)?(.+)$/s.exec(shown) ?? []
  const line = collapse((rest ?? shown).replace(/^\s*\d+[\t:-]/, ''))
  const file = path === undefined ? undefined : resolve(cwd, path)
  return { line, ...(file !== undefined && statOf(file)?.isFile() === true && { path: file }) }
}

const special = /[*?[{]/

function expand(folder: string, word: string): readonly string[] {
  if (word === '' || word.length > 1_000 || word.includes('\0')) return []
  if (!special.test(word)) {
    const file = resolve(folder, word)
    return statOf(file)?.isFile() === true ? [file] : []
  }
  const parts = word.replace(/^~?\//, '').split('/')
  let found: readonly string[] = [word.startsWith('/') ? '/' : folder]
  for (const part of parts) {
    const matches = compileGlob(part.replaceAll(/\[[^\]]*\]/g, '?'))
    const isPattern = special.test(part)
    found = found
      .flatMap((at) =>
        isPattern
          ? namesIn(at)
              .filter(matches)
              .map((name) => join(at, name))
          : [join(at, part)],
      )
      .slice(0, maxFiles)
  }
  return found.filter((file) => statOf(file)?.isFile() === true)
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file)
  } catch {
    return undefined // A word that is no file.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // There is none, or it cannot be read.
  }
}

function readAll(files: readonly string[]): string {
  let left = maxBytes
  let all = ''
  for (const file of files) {
    const text = textOf(file, left)
    left -= Buffer.byteLength(text)
    all += `${text.split('\n').map(collapse).join('\n')}\n`
  }
  return all.trim() === '' ? '' : all
}

/** The text of a regular file; nothing where there is none, it is too large or cannot be read. */
export function textOf(file: string, limitBytes = 1024 * 1024): string {
  const reading = readFileIn(groundAt(dirname(file)), file, Math.max(0, limitBytes))
  return reading.ok ? String(reading.bytes) : ''
}
