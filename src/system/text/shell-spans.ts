export interface ShellSpan {
  /** `document`: a here-document in which nothing means anything; `template`: one in which variables do. */
  readonly kind: 'bare' | 'single' | 'ansi' | 'double' | 'comment' | 'document' | 'template'
  readonly text: string
}

export function shellSpans(command: string): readonly ShellSpan[] {
  return new SpanReader(command).read()
}

export function hasComment(command: string): boolean {
  return shellSpans(command).some(({ kind }) => kind === 'comment')
}

/**
 * The text of a command without its comments and with nothing in its quotes: what the shell that reads it does. Commands
 * in `$(…)` are those of another one.
 */
export function bareText(command: string): string {
  let text = shellSpans(command)
    .map(({ kind, text: own }) => {
      if (kind === 'bare' || kind === 'comment') return kind === 'bare' ? own : ''
      return kind === 'double' ? `''${/(?:\$\(|`)$/.exec(own)?.[0] ?? ''}` : "''"
    })
    .join('')
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(/\$\([^()]*\)|`[^`]*`/g, "''")
  }
  return text
}

const whole = {
  comment: /(?<![^\s;&|()`])#[^\n]*/y,
  single: /'[^']*(?:'\\''[^']*)*(?:'|$)/y,
  ansi: /\$'(?:[^'\\]|\\[\s\S])*(?:'|$)/y,
} as const // literal kinds
/** A sum: `<<` in it opens no here-document. */
const sum = /\$?\(\((?:[^()'"\n]|\([^()'"\n]*\))*\)\)/y
const hereDocument = /<<(-?)[ \t]*(?:(["'])([^\n]*?)\2|(\\?)([^\s"'\\<>|;&()`]+))/y
const opening = /\$\(|[("`]/y
const inDouble = /(?:[^"\\`$]|\\[\s\S]|\$(?!\()|\\$)+/y
const inBare = /<<<|\\[\s\S]|[^\s"'`\\$()<#]+|[\s\S]/y

interface HereDocument {
  readonly kind: 'document' | 'template'
  readonly end: string
  readonly isIndented: boolean
}

class SpanReader {
  readonly #command: string
  readonly #spans: ShellSpan[] = []
  readonly #open: string[] = []
  readonly #documents: HereDocument[] = []
  #at = 0

  constructor(command: string) {
    this.#command = command
  }

  read(): readonly ShellSpan[] {
    while (this.#at < this.#command.length) this.#step()
    return this.#spans
  }

  #step(): void {
    const isDouble = this.#open.at(-1) === '"'
    const kind = isDouble ? 'double' : 'bare'
    if (!isDouble && this.#takeWhole()) return
    const [sign] = this.#match(sum) ?? []
    if (sign !== undefined) return this.#add(kind, sign)
    if (this.#command[this.#at] === this.#open.at(-1)) {
      this.#open.pop()
      return this.#add(kind, this.#command[this.#at] ?? '')
    }
    const [opened] = (isDouble ? this.#match(/\$\(|`/y) : this.#match(opening)) ?? []
    if (opened !== undefined) {
      this.#open.push(opened.endsWith('(') ? ')' : opened)
      return this.#add(opened === '"' ? 'double' : kind, opened)
    }
    const [text = ''] = this.#match(isDouble ? inDouble : inBare) ?? []
    this.#add(kind, text)
    if (!isDouble && text === '\n') for (const one of this.#documents.splice(0)) this.#takeDocument(one)
  }

  #takeWhole(): boolean {
    for (const kind of ['comment', 'single', 'ansi'] as const) {
      const [text] = this.#match(whole[kind]) ?? []
      if (text === undefined) continue
      this.#add(kind, text)
      return true
    }
    const found = this.#match(hereDocument)
    if (found === null) return false
    const [text, dash, quote, quoted, escape, plain = ''] = found
    const kind = quote === undefined && escape === '' ? 'template' : 'document'
    this.#documents.push({ kind, end: quoted ?? plain, isIndented: dash !== '' })
    this.#add('bare', text)
    return true
  }

  #takeDocument({ kind, end, isIndented }: HereDocument): void {
    while (this.#at < this.#command.length) {
      const [line = ''] = this.#match(/[^\n]*\n?/y) ?? []
      this.#add(kind, line)
      const bare = line.replace(/\n$/, '')
      if ((isIndented ? bare.replace(/^\t+/, '') : bare) === end) return
    }
  }

  #add(kind: ShellSpan['kind'], text: string): void {
    this.#at += text.length
    const last = this.#spans.at(-1)
    const isOne = kind === 'single' || kind === 'ansi'
    if (last?.kind === kind && !isOne) this.#spans.splice(-1, 1, { kind, text: last.text + text })
    else this.#spans.push({ kind, text })
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#command)
  }
}
