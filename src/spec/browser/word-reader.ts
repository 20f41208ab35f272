import type { BrowserText, BrowserValue } from './browser-line.ts'
import { readQuoted, variableIn } from './browser-text.ts'

/** What is wrong with a line. */
export interface LineFault {
  /** Of the character, from 0. */
  readonly index: number
  readonly message: string
}

interface Quoted {
  readonly kind: 'text'
  readonly at: number
  readonly text: BrowserText
  /** As a value: a text that is a `$NAME` is a variable. */
  readonly value: BrowserValue
}

interface Bare {
  readonly kind: 'word'
  readonly at: number
  readonly text: string
}

export type Token = Quoted | Bare | { readonly kind: 'comma'; readonly at: number }

/** Splits what follows a verb into words, texts in quotes and commas. */
export function readTokens(source: string, from: number): readonly Token[] | LineFault {
  const tokens: Token[] = []
  for (let at = from; at < source.length;) {
    const character = source[at] ?? ''
    if (/\s/.test(character)) at += 1
    else if (character === ',') {
      tokens.push({ kind: 'comma', at })
      at += 1
    } else if (character === '"') {
      const read = readQuoted(source, at)
      if (!read.ok) return read
      const name = read.hasEscapes ? undefined : variableIn(source.slice(at + 1, read.end - 1))
      tokens.push({ kind: 'text', at, text: read.text, value: name === undefined ? read.text : { variable: name } })
      at = read.end
    } else {
      const [text = ''] = /[^\s",]+/.exec(source.slice(at)) ?? []
      const name = variableIn(text)
      tokens.push(
        name === undefined ? { kind: 'word', at, text } : { kind: 'text', at, text: [text], value: { variable: name } },
      )
      at += text.length
    }
  }
  return tokens
}
