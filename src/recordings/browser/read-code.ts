/** What stands in parentheses, as far as Playwright writes it. */
export type CodeValue =
  | string
  | number
  | boolean
  | undefined
  | readonly CodeValue[]
  | { readonly [name: string]: CodeValue }
  | CodeChain

/** Calls one after the other: `page.getByRole('button').click()`. */
export class CodeChain {
  readonly root: string
  readonly calls: readonly CodeCall[]

  constructor(root: string, calls: readonly CodeCall[]) {
    this.root = root
    this.calls = calls
  }
}

interface CodeCall {
  readonly name: string
  /** Absent for a property. */
  readonly args?: readonly CodeValue[]
}

/** A statement that Playwright told. */
export interface Statement {
  readonly source: string
  /** Absent where it is none that can be read. */
  readonly chain?: CodeChain
}

/** The code that an answer of Playwright's MCP server says was executed. */
export function readCode(output: string): readonly Statement[] {
  const code = /### Ran Playwright code\n```js\n([\s\S]*?)\n```/.exec(output)?.[1] ?? ''
  const sources: string[] = []
  for (const line of code.split('\n')) {
    // Strings hold no line ends: what begins otherwise belongs to the line before.
    if (/^(?:await |const |\/\/)/.test(line) || sources.length === 0) sources.push(line)
    else sources.push(`${sources.pop() ?? ''}\n${line}`)
  }
  return sources
    .filter((source) => source.trim() !== '' && !source.startsWith('//'))
    .map((source) => ({ source, ...readStatement(source) }))
}

function readStatement(source: string): Pick<Statement, 'chain'> {
  const reader = new CodeReader(source)
  try {
    reader.expect('await')
    const chain = reader.value()
    reader.skip(';')
    return reader.isAtEnd && chain instanceof CodeChain ? { chain } : {}
  } catch (error: unknown) {
    if (error instanceof Unreadable) return {}
    throw error
  }
}

class Unreadable extends Error {}

/** Reads literals and calls, and nothing else. */
class CodeReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.#match(/\s*$/y) !== undefined
  }

  expect(text: string): void {
    if (!this.skip(text)) throw new Unreadable()
  }

  skip(text: string): boolean {
    this.#match(/\s*/y)
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  value(): CodeValue {
    this.#match(/\s*/y)
    const quote = this.#source[this.#at] ?? ''
    if (quote === "'" || quote === '"') return this.#text(quote)
    if (this.skip('[')) return this.#list(']')
    if (this.skip('{')) return this.#object()
    const number = this.#match(/-?\d+(?:\.\d+)?/y)
    if (number !== undefined) return Number(number)
    const word = this.#match(/[A-Za-z_$][\w$]*/y)
    if (word === undefined) throw new Unreadable()
    if (word === 'true' || word === 'false') return word === 'true'
    return word === 'undefined' ? undefined : this.#chain(word)
  }

  #chain(root: string): CodeChain {
    const calls: CodeCall[] = []
    for (;;) {
      if (this.skip('.')) {
        const name = this.#match(/[A-Za-z_$][\w$]*/y)
        if (name === undefined) throw new Unreadable()
        calls.push(this.skip('(') ? { name, args: this.#list(')') } : { name })
      } else if (this.skip('[')) {
        const [name] = this.#list(']')
        if (typeof name !== 'string') throw new Unreadable()
        calls.push({ name })
      } else return new CodeChain(root, calls)
    }
  }

  #list(end: string): readonly CodeValue[] {
    const values: CodeValue[] = []
    while (!this.skip(end)) {
      values.push(this.value())
      if (this.skip(',')) continue
      this.expect(end)
      break
    }
    return values
  }

  #object(): { readonly [name: string]: CodeValue } {
    const entries: (readonly [string, CodeValue])[] = []
    while (!this.skip('}')) {
      this.#match(/\s*/y)
      const name = this.#match(/[A-Za-z_$][\w$]*/y)
      if (name === undefined) throw new Unreadable()
      this.expect(':')
      entries.push([name, this.value()])
      if (this.skip(',')) continue
      this.expect('}')
      break
    }
    return Object.fromEntries(entries)
  }

  #text(quote: string): string {
    const body = this.#match(quote === "'" ? /'((?:[^'\\]|\\[^])*)'/y : /"((?:[^"\\]|\\[^])*)"/y)
    if (body === undefined) throw new Unreadable()
    return body.slice(1, -1).replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|[^])/gi, (escape: string) => {
      const code = /^\\[ux]\{?([\da-f]{2,})/i.exec(escape)?.[1]
      const one = escape.slice(1)
      return code === undefined ? (escapes[one] ?? one) : String.fromCodePoint(parseInt(code, 16))
    })
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#source) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' }
