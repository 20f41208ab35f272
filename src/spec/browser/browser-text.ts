import type { BrowserText, BrowserValue } from './browser-line.ts'

/** A text that was read, and where what follows it begins; or what is wrong with it and where. */
export type ReadText =
  | { readonly ok: true; readonly text: BrowserText; readonly end: number; readonly hasEscapes: boolean }
  | { readonly ok: false; readonly index: number; readonly message: string }

const piece = /\{\{([A-Za-z_]\w*)\}\}|\\(?:u([0-9a-fA-F]{4})|([^]?))|[^]/y

const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$', '{': '{' }

/** Reads a text in double quotes. `at` is the index of the first one. */
export function readQuoted(source: string, at: number): ReadText {
  const parts = new TextParts()
  let hasEscapes = false
  for (let index = at + 1; index < source.length;) {
    if (source[index] === '"') return { ok: true, text: parts.done(), end: index + 1, hasEscapes }
    piece.lastIndex = index
    const [whole = '', recall, code, escaped] = piece.exec(source) ?? []
    if (recall !== undefined) parts.addRecall(recall)
    else if (code !== undefined) parts.add(String.fromCharCode(parseInt(code, 16)))
    else if (escaped !== undefined) {
      const text = named[escaped]
      const message = `\`${whole}\` is no escape. Known: \`\\"\`, \`\\\\\`, \`\\n\`, \`\\r\`, \`\\t\`, \`\\$\`, \`\\{\` and \`\\u1234\`.`
      if (text === undefined) return { ok: false, index, message }
      parts.add(text)
    } else parts.add(whole)
    hasEscapes ||= whole.startsWith('\\')
    index += whole.length
  }
  return { ok: false, index: at, message: 'This `"` is never closed.' }
}

/** Reads a text without quotes, all of it. */
export function readBare(source: string): BrowserText {
  const parts = new TextParts()
  for (const [whole, recall] of source.matchAll(/\{\{([A-Za-z_]\w*)\}\}|[^]/g)) {
    if (recall === undefined) parts.add(whole)
    else parts.addRecall(recall)
  }
  return parts.done()
}

/** Neighbours are one part. */
class TextParts {
  readonly #parts: BrowserText[number][] = []
  #text = ''

  add(text: string): void {
    this.#text += text
  }

  addRecall(recall: string): void {
    this.#flush()
    this.#parts.push({ recall })
  }

  done(): BrowserText {
    this.#flush()
    return this.#parts
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(this.#text)
    this.#text = ''
  }
}

/** Writes a text so that `readQuoted` gives it back, and all of it can be seen. */
export function quoteText(text: BrowserText): string {
  return `"${text.map((part) => (typeof part === 'string' ? escape(part) : `{{${part.recall}}}`)).join('')}"`
}

/** The same for a value, where a text that looks like a variable is none. */
export function quoteValue(value: BrowserValue): string {
  if ('variable' in value) return `"$${value.variable}"`
  const quoted = quoteText(value)
  return variableIn(quoted.slice(1, -1)) === undefined ? quoted : `"\\${quoted.slice(1)}`
}

/** The name in a `$NAME`. */
export function variableIn(text: string): string | undefined {
  return /^\$([A-Za-z_]\w*)$/.exec(text)?.[1]
}

function escape(text: string): string {
  return text.replace(/["\\]|\{(?=\{|$)|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?!\u200D)\p{Cf}/gu, (character) => {
    const name = Object.entries(named).find(([, value]) => value === character)?.[0]
    if (name !== undefined) return `\\${name}`
    return [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('')
  })
}
