import { readForeignFile } from '../../system/files/read-file.ts'
import { keptPart, Latest, maxOutputCharacters } from './kept-outputs.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'
import { holdsWords, quotableLines, type QuotableLines } from './quotable-lines.ts'

/** Words of a spec. Words that the spec asks for do not count as the agent's own words. */
export class SpecWords {
  /** The spec without its checks. A check contains words that the product should show. */
  readonly #prose: QuotableLines
  /** `#prose` without texts in quotes that occur only once. Such a text may be expected output. */
  readonly #plain: QuotableLines
  readonly text: string
  readonly expected: readonly string[]
  /** Words of the checks that the prose lacks. Who gives the product such a word has it say what a check expects. */
  readonly #ofChecks: ReadonlySet<string>

  constructor(text: string) {
    const checks = [...text.matchAll(checkItem)].map(([item]) => item)
    const prose = text.replace(checkItem, '')
    this.text = text
    this.#prose = quotableLines(withoutQuotes(prose))
    const inQuotes = (words: string): boolean => prose.split(words).length === 2
    const plain = prose.replace(quoted, (all, words?: string) => (words !== undefined && inQuotes(words) ? '' : all))
    this.#plain = quotableLines(withoutQuotes(plain))
    // In a spec of checks only, the checks say what to do. Their words are then no expected output.
    const hasProse = /^(?![#\s])\S/m.test(prose.replace(/^---\n[\s\S]*?\n---\n/, ''))
    this.expected = [...new Set(hasProse ? checks.flatMap(runsOf) : [])].filter((words) => !this.asksFor(words))
    const known = new Set(distinctWords(prose))
    this.#ofChecks = new Set(hasProse ? checks.flatMap(distinctWords).filter((word) => !known.has(word)) : [])
  }

  expectedWordsIn(quote: string): readonly string[] {
    return distinctWords(quote).filter((word) => this.#ofChecks.has(word))
  }

  asksFor(words: string): boolean {
    return holdsWords(this.#prose, withoutQuotes(words))
  }

  /** Whether the prose contains the words, apart from quoted texts that may be expected output. */
  hasAgentGive(words: string): boolean {
    return holdsWords(this.#plain, withoutQuotes(words))
  }

  asksToRun(line: string): boolean {
    return ['`', '\n'].some((edge) => this.text.includes(edge + line.trim() + edge))
  }

  names(path: string): boolean {
    for (let at = this.text.indexOf(path); path !== '' && at !== -1; at = this.text.indexOf(path, at + 1)) {
      const isBegun = !/[\w./-]$/.test(this.text.slice(0, at).replace(/\.\/$/, '').slice(-1))
      if (isBegun && !/^(?:[\w-]|[./][\w])/.test(this.text.slice(at + path.length, at + path.length + 2))) return true
    }
    return false
  }
}

const checkItem = /^[ \t]*[-*+] \[[ xX]\].*(?:\n(?:[ \t]*(?=\n)|[ \t]{2,}(?![-*+] \[).*))*/gm

const quoted = /```[\s\S]*?```|`[^`\n]*`|"([^"\n]+)"|“([^”\n]+)”/g

/** Sequences of words from a check. Each is just long enough to be no coincidence in an output. */
function runsOf(check: string): readonly string[] {
  const words = collapseSpace(withoutQuotes(check))
    .replaceAll(/[.,;:!?](?= |$)/g, '')
    .split(' ')
  return words.flatMap((_, from) => {
    const ends = words.map((__, to) => words.slice(from, to + 1)).filter(({ length }) => length > 1)
    return ends.map((run) => run.join(' ')).find((run) => withoutBlanks(run).length >= runCharacters) ?? []
  })
}

/** Numbers, and words of at least three letters. */
function distinctWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}](?:[^\s"'`]*[\p{L}\p{N}])?/gu) ?? []
  return words.filter((word) => (word.length > 2 && !common.has(word)) || /\d/.test(word))
}

const common = new Set('the and for are has was not its'.split(' '))
/** Shorter words and numbers, such as `2`, are in output by chance. */
const wordCharacters = 4
const runCharacters = 6
/** Shorter texts, such as `--all`, occur in output by chance. */
const frameCharacters = 8

export function isFramed(text: string): boolean {
  return withoutBlanks(text).length >= frameCharacters
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '')
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/['"`\\]/g, '')
}

/** Words that the agent gave the product or wrote into a file. Words that the spec asks for are left out. */
export class OwnWords {
  readonly #spec: SpecWords
  readonly #latest = new Latest<QuotableLines>(({ flat }) => flat)
  readonly #templates: RegExp[] = []
  readonly #rows = new Latest<QuotableLines>(({ flat }) => flat)
  readonly #typed = new Latest<string>((text) => text)

  constructor(spec: SpecWords) {
    this.#spec = spec
  }

  add(texts: readonly string[]): void {
    for (const given of texts) {
      const text = given.trimEnd()
      if (text !== '' && !this.#spec.asksFor(text)) this.#latest.add(quotableLines(keptPart(text)))
    }
  }

  addRows(texts: readonly string[]): void {
    for (const text of texts) this.#rows.add(quotableLines(keptPart(text)))
  }

  /** Adds texts that the agent typed into a page. The page may show them: only words of checks in them are no evidence. */
  addTyped(texts: readonly string[]): void {
    for (const text of texts) if (!this.#spec.hasAgentGive(text)) this.#typed.add(text)
  }

  /** Adds regular expressions for words of the agent that are known only in part: `id-.*` for `id-$RANDOM`. */
  addTemplates(templates: readonly string[]): void {
    for (const template of templates) this.#templates.push(new RegExp(template))
  }

  addFile(path: string): void {
    this.add([readForeignFile(path, maxOutputCharacters)?.toString('utf8') ?? ''])
  }

  /** Words of a call that the spec does not ask for. Output that repeats them is no evidence. */
  echoable(texts: readonly string[]): readonly string[] {
    const lines = texts.flatMap((text) => [text, ...text.split(/[\r\n]+/)].map((one) => collapseSpace(one)))
    const asked = lines.filter((text) => this.#spec.hasAgentGive(text)).map(withoutBlanks)
    return [...new Set(lines)].filter((text) => text !== '' && !asked.includes(withoutBlanks(text)))
  }

  isEcho(quote: string, words: readonly string[]): boolean {
    const [isOwn, isExpected] = [!this.#spec.hasAgentGive(quote), this.#spec.asksFor(quote)]
    const isShown = (text: string): boolean => !isExpected && isFramed(text) && quote.includes(text)
    return (
      words.some((text) => (isOwn && holdsWords(quotableLines(text), quote)) || isShown(text)) ||
      this.#isExpectedOf(quote, words)
    )
  }

  /** Whether all that the quote has of the checks comes from these words, as in `Hello, shipped!` for `greet shipped`. */
  #isExpectedOf(quote: string, words: readonly string[]): boolean {
    const wanted = this.#spec.expectedWordsIn(quote)
    if (!wanted.some(({ length }) => length >= wordCharacters)) return false
    const own = new Set(words.flatMap(distinctWords))
    return wanted.every((word) => own.has(word))
  }

  isInSpec(quote: string): boolean {
    return this.#spec.text.includes(quote)
  }

  /** Whether the agent itself wrote the quote, each of its lines, or the expected words in it. */
  hold(quote: string): boolean {
    const flat = collapseSpace(quote)
    const lines = quotableLines(quote).lines.split('\n')
    const plain = withoutQuotes(flat)
    const wanted = this.#spec.expected.filter((words) => plain.includes(words))
    const isAsked = this.#spec.asksFor(flat)
    const [texts, rows] = [this.#latest.all, this.#rows.all]
    return (
      this.#isExpectedOf(flat, this.#typed.all) ||
      this.#templates.some((template) => template.test(flat)) ||
      texts.some((text) => holdsWords(text, flat) || lines.every((line) => holdsWords(text, line))) ||
      rows.some((row) => !isAsked && holdsWords(row, flat)) ||
      [...texts, ...rows].some((own) => wanted.some((words) => withoutQuotes(own.flat).includes(words)))
    )
  }
}
