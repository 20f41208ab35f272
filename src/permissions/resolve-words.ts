import type { Assignment, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash'
import { quoteRegex } from '../system/text/shell-and-regex-quotes.ts'
import { wrappers } from './known-programs.ts'

export interface Known {
  /** The value that the command gets; `undefined` if part of it is an unknown variable or output. */
  readonly value?: string | undefined
  /** All words that an unknown value may contain, for example the words of a piped text. */
  readonly pieces?: readonly string[] | undefined
  readonly isPattern?: boolean
  /** Whether the word is a number, even if its value is unknown. */
  readonly isNumber?: boolean
  readonly isJob?: boolean
  /** Whether the word could be anything, because it combines or changes unknown values. */
  readonly isPuzzle?: boolean
  /** Regular expression for a value of which only a part is known. */
  readonly template?: string
  /** Whether the word stands for the file names that `find` or `ls` prints. */
  readonly isFound?: boolean
}

export interface LineWord extends Known {
  readonly text: string
}

export interface LineVariable extends LineWord {
  readonly name: string
  readonly words: readonly LineWord[]
  readonly isExported?: boolean
}

/** Limit for the words of `{1..9}` or of a loop. Each word is read by itself. */
export const maxWords = 64

export class WordReader {
  /** For each substitution, such as `$(cat notes)`: the words that it may print. */
  readonly printed = new Map<ParsedScript, readonly string[]>()
  readonly #scratchDir: string | undefined
  readonly #state: { readonly values: ReadonlyMap<string, Known> }

  constructor(scratchDir: string | undefined, state: { readonly values: ReadonlyMap<string, Known> }) {
    this.#scratchDir = scratchDir
    this.#state = state
  }

  /** Expands braces, so that one word can become several. */
  wordsOf(word: Word | Assignment): readonly LineWord[] {
    const parts = word.type === 'Assignment' ? undefined : word.parts
    const brace = parts?.find(({ type }) => type === 'BraceExpansion')
    const items = brace && bracedWords(brace.text)
    if (word.type === 'Assignment' || brace === undefined || items === undefined) return [this.wordOf(word)]
    if (items.length > maxWords)
      return [{ text: word.text, isNumber: /^\{\d/.test(word.text), isPuzzle: !/^\{\d/.test(word.text) }]
    return items.flatMap((value) => {
      const item: WordPart = { ...brace, type: 'Literal', value, text: value }
      const text = word.text.replace(brace.text, () => value)
      return this.wordsOf({ ...word, text, value: text, parts: parts?.map((part) => (part === brace ? item : part)) })
    })
  }

  /** Reads one word. It may be an `Assignment`, because the parser reads `if=x` in `dd if=x` as an assignment. */
  wordOf(word: Word | Assignment, isAssigned = false): LineWord {
    if (word.type === 'Word') return this.joined(word, isAssigned)
    const { text, value } = word
    if (value.type === 'ArrayValue' || word.index !== undefined) return { text, isPuzzle: true }
    const inner = this.wordOf(value)
    const start = `${word.name}${word.append === true ? '+=' : '='}`
    return { ...inner, text, value: inner.value === undefined ? undefined : start + inner.value, isNumber: false }
  }

  joined({ text, value, parts }: Pick<Word, 'text' | 'value' | 'parts'>, isAssigned = false): LineWord {
    // `~` is unknown, because it depends on the user.
    if (text.startsWith('~')) return { text, isPuzzle: true }
    const pieces = parts?.flatMap((part): readonly Known[] => {
      if (part.type === 'DoubleQuoted') return part.parts.map((each) => this.#pieceOf(each))
      const piece = this.#pieceOf(part)
      return [isAssigned || !part.type.endsWith('Expansion') ? piece : split(piece)]
    })
    return { ...joinOf(pieces ?? [{ value }]), text }
  }

  #pieceOf(part: WordPart): Known {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return { value: part.value }
      case 'Glob':
        return { value: part.value, isPattern: true }
      case 'SimpleExpansion':
        return this.valueOf(part.text.slice(1))
      case 'ParameterExpansion':
        return this.#expansionOf(part)
      case 'CommandExpansion':
        return this.#outputOf(part.script)
      case 'ArithmeticExpansion':
        return { isNumber: true }
      case 'ProcessSubstitution':
        return { value: '/dev/stdin', pieces: part.script && this.printed.get(part.script) }
      default:
        return { isPuzzle: true }
    }
  }

  valueOf(name: string): Known {
    return /^[?#$!]$/.test(name) ? { isNumber: true, isJob: name === '!' } : (this.#state.values.get(name) ?? {})
  }

  #expansionOf({ parameter, prefix, index, operation }: ParameterExpansionPart): Known {
    if (prefix === '#' || parameter === 'PIPESTATUS') return { isNumber: true }
    if (operation === undefined)
      return index === undefined ? this.valueOf(parameter) : { pieces: this.valueOf(parameter).pieces }
    const value = operation.type === 'Default' ? (this.wordOf(operation.operand).value ?? '') : ''
    return value.length < 4 ? { isPuzzle: true } : { template: quoteRegex(value) }
  }

  #outputOf(script: ParsedScript | undefined): Known {
    const unknown: Known = { pieces: script && this.printed.get(script) }
    const [statement, ...others] = script?.commands ?? []
    const command = statement?.command.type === 'Pipeline' ? statement.command.commands.at(-1) : statement?.command
    if (command?.type !== 'Command' || command.name === undefined || others.length > 0) return unknown
    const text = [command.name, ...command.args].map((word) => this.wordOf(word).value ?? '$').join('\0')
    if (numeric.test(text)) return { ...unknown, isNumber: true }
    if (this.#scratchDir === undefined || !/^mktemp(?:\0-[dqu]+)*$/.test(text)) return unknown
    return { value: /\0-\w*d/.test(text) ? this.#scratchDir : `${this.#scratchDir}/mktemp` }
  }
}

/** Commands that print only numbers, such as `wc -l`. The words of a command are joined by NUL. */
const numeric =
  /^(?:wc(?:\0-[lwcm]+)*|grep(?:\0-[iEFvwx]+)*\0-[iEFvwx]*c[iEFvwx]*\0(?!-)[^\0]+|date(?:\0-u|\0-d\0[^\0]+)*\0\+(?:%[sNYmdHMSjuFT]|[-:.])+|seq(?:\0-?\d+)+|jq(?:\0-r)?\0length)$/

/** The value of an unquoted variable. Bash splits it at blanks and may expand it as a pattern. */
function split(piece: Known): Known {
  const { value = '' } = piece
  if (/\s/.test(value)) return { isPuzzle: true, pieces: [value] }
  return /[*?[]/.test(value) ? { ...piece, isPattern: true } : piece
}

function joinOf(pieces: readonly Known[]): Known {
  const isPattern = pieces.some((piece) => piece.isPattern === true)
  const value = pieces.map((piece) => piece.value ?? '').join('')
  const isKnown = pieces.every((piece) => piece.value !== undefined)
  const all = [...new Set(pieces.flatMap((piece) => piece.pieces ?? (isKnown ? [] : (piece.value ?? []))))]
  const withPieces = all.length > 0 && { pieces: all }
  if (isKnown) return { value, isPattern, isNumber: /^-?\d+$/.test(value), ...withPieces }
  const [first, ...others] = pieces.filter((piece) => piece.value === undefined || /\S/.test(piece.value))
  if (others.length === 0) return { ...first, isPattern }
  const isShort = value.replaceAll(/\W/g, '').length < 4
  const isSure = pieces.every((piece) => piece.value !== undefined || piece.isNumber === true)
  const regex = pieces.map(
    (piece) => quoteRegex(piece.value ?? '') || (piece.template ?? (piece.isNumber ? '[\\d:.-]+' : '.*')),
  )
  const template = isShort ? regex.join('').replaceAll(/^\b|\b$/g, '\\b') : regex.join('')
  return {
    isPattern,
    ...withPieces,
    isNumber: isSure && /^\d*$/.test(value),
    isPuzzle: pieces.some(({ isPuzzle }) => isPuzzle) || (isShort && !isSure),
    ...(/\w/.test(value) && { template }),
  }
}

/** `{a,b}` becomes `a` and `b`, and `{1..3}` becomes `1`, `2` and `3`. */
export function bracedWords(text: string): readonly string[] | undefined {
  const [, from, to] = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/.exec(text) ?? []
  if (from === undefined)
    return /^\{[\w.@%+:/-]*(?:,[\w.@%+:/-]*)+\}$/.test(text) ? text.slice(1, -1).split(',') : undefined
  const [first, last] = [Number(from), Number(to)]
  const step = Math.sign(last - first)
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => String(first + index * step))
}

/** Removes the words before the real command, such as `timeout 5`, `nohup`, `env A=b` and `xargs -n 1`. */
export function unwrap(
  words: readonly LineWord[],
  fed: Known,
): { readonly words: readonly LineWord[]; readonly variables: readonly LineVariable[] } {
  const [program, ...args] = words
  const option = wrappers.get(program?.value ?? '')
  const at = args.findIndex(({ value }) => value === undefined || option?.test(value) !== true)
  if (option === undefined || at === -1) return { words, variables: [] }
  const command = args.slice(at)
  if (program?.value === 'xargs') {
    const isPut = args.slice(0, at).some(({ value }) => value?.startsWith('-I'))
    const given = isPut ? command.map((word) => found(word, fed)) : [...command, { ...fed, text: '"$@"' }]
    return { words: given, variables: [] }
  }
  const rest = unwrap(command, fed)
  const variables = args.slice(0, at).flatMap((word): readonly LineVariable[] => {
    const [, name, value] = /^(\w+)=([\s\S]*)$/.exec(word.value ?? '') ?? []
    return name === undefined ? [] : [{ ...word, name, value, words: [] }]
  })
  return { words: rest.words, variables: [...variables, ...rest.variables] }
}

/** Replaces `{}` in a word of `find` or `xargs` with the known part of the results. */
export function found(word: LineWord, fed: Known): LineWord {
  if (!word.text.includes('{}')) return word
  const pieces = (word.value ?? word.text)
    .split(/(?=\{\})|(?<=\{\})/)
    .map((value) => (value === '{}' ? fed : { value }))
  return { ...joinOf(pieces), text: word.text, isFound: fed.isFound === true }
}

/** Words that a command passes on. `printf '%s!' a` passes `a!`. */
export function textsOf(program: LineWord | undefined, args: readonly LineWord[]): readonly string[] {
  const texts = args.flatMap(({ value, pieces, text }) => value ?? pieces ?? text)
  if (program?.value !== 'printf') return texts
  const [format = '', ...rest] = texts
  let printed = ''
  do printed += format.replaceAll('%s', () => rest.shift() ?? '')
  while (rest.length > 0 && format.includes('%s'))
  return [printed.replaceAll(String.raw`\n`, '\n'), ...rest]
}

/** Whether a command pipes only numbers or file names. Names in the agent's `scratchDir` could be any text. */
export function printedBy(program: LineWord | undefined, args: readonly LineWord[], scratchDir = '/dev/null'): Known {
  const name = program?.value ?? ''
  const isOdd = args.some(({ value = '' }) => /^-f?printf|^--./.test(value) || value.includes(scratchDir))
  const isFinder =
    /^(?:find|ls)$/.test(name) || (name === 'grep' && args.some(({ value = '' }) => /^-\w*l/.test(value)))
  return { isFound: isFinder && !isOdd, isNumber: name === 'seq' && args.every(({ isNumber }) => isNumber === true) }
}
