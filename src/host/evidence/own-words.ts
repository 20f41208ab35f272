import { readForeignFile } from '../../system/files/read-file.ts'
import { keptPart, Latest, maxOutputCharacters } from './kept-outputs.ts'
import { collapse, holdsWords, quotableLines, type QuotableLines } from './quotable-lines.ts'

/** What a spec asks for: nothing of that is the agent's own idea. */
export class SpecWords {
  /** Without its checks, which say what the product is to show. */
  readonly #prose: QuotableLines
  readonly #text: string
  readonly expected: readonly string[]

  constructor(text: string) {
    const checks = [...text.matchAll(checkItem)].map(([item]) => item)
    const prose = text.replace(checkItem, '')
    this.#text = text
    this.#prose = quotableLines(withoutQuotes(prose))
    // Where there are checks alone, they say what to do as well.
    const hasProse = /^(?![#\s])\S/m.test(prose.replace(/^---\n[\s\S]*?\n---\n/, ''))
    const texts = hasProse ? checks.flatMap(longestMarked) : []
    this.expected = [...new Set(texts)].filter((words) => !this.asksFor(words))
  }

  asksFor(words: string): boolean {
    return holdsWords(this.#prose, withoutQuotes(words))
  }

  names(path: string): boolean {
    for (let at = this.#text.indexOf(path); path !== '' && at !== -1; at = this.#text.indexOf(path, at + 1)) {
      const isBegun = !/[\w./-]$/.test(this.#text.slice(0, at).replace(/\.\/$/, '').slice(-1))
      if (isBegun && !/^(?:[\w-]|[./][\w])/.test(this.#text.slice(at + path.length, at + path.length + 2))) return true
    }
    return false
  }
}

const checkItem = /^[ \t]*[-*+] \[[ xX]\].*(?:\n(?:[ \t]*(?=\n)|[ \t]{2,}(?![-*+] \[).*))*/gm

/** Of a check, what stands in quotes or code marks and in no other such text: that one may be what to give. */
function longestMarked(check: string): readonly string[] {
  const marked = [...check.matchAll(/"([^"\n]+)"|“([^”\n]+)”|(?<!`)`([^`\n]+)`|^[ \t]{2,}(\S.*)$/gm)]
  const texts = marked.map((found) => collapse(found.slice(1).find((one) => one !== undefined) ?? ''))
  return texts.filter((one) => one.includes(' ') && !texts.some((other) => other !== one && other.includes(one)))
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/['"`\\]/g, '')
}

/** Words of the agent's own in a scenario: what it gave the product, or wrote into a file, and was not asked to. */
export class OwnWords {
  readonly #spec: SpecWords
  readonly #latest = new Latest<QuotableLines>(({ flat }) => flat)
  readonly #templates: RegExp[] = []
  readonly #rows = new Latest<QuotableLines>(({ flat }) => flat)

  constructor(spec: SpecWords) {
    this.#spec = spec
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (text.trim() !== '' && !this.#spec.asksFor(text)) this.#latest.add(quotableLines(keptPart(text)))
    }
  }

  addRows(texts: readonly string[]): void {
    for (const text of texts) this.#rows.add(quotableLines(keptPart(text)))
  }

  /** Regular expressions of what was put together with what is not known. */
  addTemplates(templates: readonly string[]): void {
    for (const template of templates) this.#templates.push(new RegExp(template))
  }

  addFile(path: string): void {
    this.add([readForeignFile(path, maxOutputCharacters)?.toString('utf8') ?? ''])
  }

  /** Whether they hold a quote, or each of its lines, or what a check wants to see and the quote shows. */
  hold(quote: string): boolean {
    const flat = collapse(quote)
    const lines = quotableLines(quote).lines.split('\n')
    const wanted = this.#spec.expected.filter((words) => flat.includes(words))
    const isAsked = this.#spec.asksFor(flat)
    const [texts, rows] = [this.#latest.all, this.#rows.all]
    return (
      this.#templates.some((template) => template.test(flat)) ||
      texts.some((text) => holdsWords(text, flat) || lines.every((line) => holdsWords(text, line))) ||
      rows.some((row) => !isAsked && holdsWords(row, flat)) ||
      [...texts, ...rows].some((own) => wanted.some((words) => own.flat.includes(words)))
    )
  }
}
