/** One simple command of a shell command line, its quoting undone. */
export interface SimpleCommand {
  /** Its words, assignments in front of it and targets of redirections included. */
  readonly words: readonly string[]
  /** What stands before it: `&&`, `|`, `;` …; empty before the first one. */
  readonly joint: string
  /** What here-documents give it. */
  readonly input: string
  /** Whether it sends its output to a file. */
  readonly isRedirected: boolean
}

/**
 * Reads a command line of bash as far as words and operators go: loops, tests and functions come out as commands with
 * the shell's own words in front. What stands in `$(…)` and backticks is a part of its word. Never throws.
 */
export function readShell(text: string): readonly SimpleCommand[] {
  return new ShellReader(text).read()
}

/**
 * The words of one simple command, as a shell splits them: quotes and backslashes mean something, and nothing else.
 * `undefined` where a quote is not closed.
 */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [piece, blank, single, double, one, open] of text.matchAll(pieces)) {
    if (open !== undefined) return undefined
    if (blank === undefined) word = `${word ?? ''}${single ?? (double && undoDouble(double)) ?? one ?? piece}`
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}

const pieces = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(['"\\])|[^\s'"\\]+/g

/** Between double quotes a backslash means something before these alone. */
function undoDouble(text: string): string {
  return text.replace(/\\([\\"$`])/g, '$1')
}

const quoted = /'([^']*)(?:'|$)/y
const ansiQuoted = /\$'((?:[^'\\]|\\[\s\S])*)(?:'|$)/y
const doubleQuoted = /\$?"((?:[^"\\]|\\[\s\S])*)(?:"|$)/y
const escaped = /\\([\s\S]|$)/y
const hereDocument = /<<(-?)\s*(['"]?)([^\s'"<>|;&]+)\2/y
const redirection = /\d*(?:&>>?|>>?[|&]?)(?!\()|<<<|\d*<&?(?!\()/y
const operator = /&&|\|\||;;|\|&|[;|&\n()]|[<>]\(/y
const substitution = /\$\(|`/y
const plain = /[^\s'"\\$`<>|;&()]+|[\s\S]/y

class ShellReader {
  readonly #text: string
  #at = 0
  #word: string | undefined
  #words: string[] = []
  #joint = ''
  #input = ''
  #isRedirected = false
  #takesTarget = false
  readonly #documents: { readonly end: string; readonly isIndented: boolean; readonly index: number }[] = []
  readonly #commands: SimpleCommand[] = []

  constructor(text: string) {
    this.#text = text.replaceAll('\\\n', '')
  }

  read(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step()
    this.#endCommand('')
    return this.#commands
  }

  #step(): void {
    const blank = this.#match(/[ \t\r]+/y)
    if (blank) return this.#endWord()
    if (this.#word === undefined && this.#match(/#[^\n]*/y)) return
    const document = this.#match(hereDocument)
    if (document) {
      const [, dash, , end = ''] = document
      this.#documents.push({ end, isIndented: dash !== '', index: this.#commands.length })
      return
    }
    if (this.#word === undefined || !/\d$/.test(this.#word)) {
      const redirected = this.#match(redirection)
      if (redirected) return this.#redirect(redirected[0])
    }
    const joint = this.#match(operator)?.[0]
    if (joint !== undefined) return this.#endCommand(joint)
    this.#addToWord()
  }

  #redirect(sign: string): void {
    this.#endWord()
    this.#takesTarget = sign.includes('>') && !sign.endsWith('&')
  }

  #addToWord(): void {
    const [, single] = this.#match(quoted) ?? []
    if (single !== undefined) return this.#add(single)
    const [, ansi] = this.#match(ansiQuoted) ?? []
    if (ansi !== undefined) return this.#add(undoEscapes(ansi))
    const [, double] = this.#match(doubleQuoted) ?? []
    if (double !== undefined) return this.#add(undoDouble(double))
    const [, one] = this.#match(escaped) ?? []
    if (one !== undefined) return this.#add(one)
    const opening = this.#match(substitution)?.[0]
    if (opening !== undefined) return this.#add(`${opening}${this.#substituted(opening)}`)
    this.#add(this.#match(plain)?.[0] ?? '')
  }

  /** To the end that belongs to it; parentheses in quotes are counted like others. */
  #substituted(opening: string): string {
    const from = this.#at
    for (let depth = 1; depth > 0 && this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at]
      if (opening === '`') depth -= character === '`' ? 1 : 0
      else if (character === '(') depth += 1
      else if (character === ')') depth -= 1
    }
    return this.#text.slice(from, this.#at)
  }

  #add(text: string): void {
    this.#word = `${this.#word ?? ''}${text}`
  }

  #endWord(): void {
    if (this.#word === undefined) return
    this.#words.push(this.#word)
    if (this.#takesTarget && this.#word !== '/dev/null') this.#isRedirected = true
    this.#takesTarget = false
    this.#word = undefined
  }

  #endCommand(joint: string): void {
    this.#endWord()
    const isEmpty = this.#words.length === 0 && this.#documents.every(({ index }) => index !== this.#commands.length)
    if (!isEmpty) {
      this.#commands.push({
        words: this.#words,
        joint: this.#joint,
        input: this.#input,
        isRedirected: this.#isRedirected,
      })
      this.#words = []
      this.#input = ''
      this.#isRedirected = false
      this.#joint = joint
    } else if (this.#joint === '' || !/[&|]{2}/.test(this.#joint)) this.#joint = joint
    if (joint === '\n') this.#readDocuments()
  }

  #readDocuments(): void {
    for (const { end, isIndented, index } of this.#documents.splice(0)) {
      const lines: string[] = []
      while (this.#at < this.#text.length) {
        const line = this.#match(/([^\n]*)(?:\n|$)/y)?.[1] ?? ''
        if ((isIndented ? line.trimStart() : line) === end) break
        lines.push(line)
      }
      const command = this.#commands[index]
      if (command) this.#commands[index] = { ...command, input: `${command.input}${lines.join('\n')}\n` }
    }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }
}

const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', e: '\u001b', E: '\u001b' }

/** `\n`, `\x41`, `\u00e9`, `\101` and the like as what they stand for; any other character behind a backslash as itself. */
export function undoEscapes(text: string): string {
  return text.replaceAll(/\\(?:x[\da-f]{1,2}|u[\da-f]{4}|[xu]\{[\da-f]{1,6}\}|0?[0-7]{1,3}|[\s\S])/gi, (escape) => {
    const [, base = '', digits] = /^\\([xu]?)\{?([\da-f]+)/i.exec(escape) ?? []
    if (digits === undefined || (base === '' && /\D/.test(digits))) return named[escape.slice(1)] ?? escape.slice(1)
    const code = Number.parseInt(digits, base === '' ? 8 : 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape
  })
}
