import type { Word, WordPart } from 'unbash'
import { isNumberWord } from './numbers.ts'
import { maxValues, type Scope, type Values } from './scope.ts'

/** A word that a command is given, as far as it is known. */
export interface Given {
  /** As it stands in the line, without quotes where it needs none. */
  readonly text: string
  /** What the command gets; `undefined` where nobody can know, or it may be several words. */
  readonly value: string | undefined
  /** Whether stars and the like in it stand for names of files. */
  readonly isPattern: boolean
  /** Whether it is the name of a pipe from or to a command, `<(…)`. */
  readonly isPipe: boolean
  /** Whether it surely is one word, whatever it holds. */
  readonly isOne: boolean
}

/** A word that nobody can know. */
export function unknownWord(text: string): Given {
  return { text, value: undefined, isPattern: false, isPipe: false, isOne: false }
}

/**
 * Each way in which the words of a command may turn out. A word with braces becomes several, one with an unknown value
 * is unknown; so are all where there would be too many ways.
 */
export function waysOf(words: readonly Word[], scope: Scope): readonly (readonly Given[])[] {
  let ways: Given[][] = [[]]
  for (const word of words) {
    const forms = formsOf(word, scope)
    const [form] = forms
    if (forms.length === 1 && form !== undefined) {
      for (const way of ways) way.push(...form)
      continue
    }
    ways =
      ways.length * forms.length > maxValues
        ? ways.map((way) => [...way, unknownWord(word.text)])
        : ways.flatMap((way) => forms.map((form) => [...way, ...form]))
  }
  return ways
}

/** What one word may become: each form is one word or, with braces, several. */
function formsOf(word: Word, scope: Scope): readonly (readonly Given[])[] {
  const parts = word.parts ?? []
  const isPipe = parts.length === 1 && parts[0]?.type === 'ProcessSubstitution'
  if (isPipe) return [[{ text: word.text, value: undefined, isPattern: false, isPipe, isOne: true }]]
  const isPattern = parts.some(({ type }) => type === 'Glob' || type === 'ExtendedGlob')
  const isOne = parts.every(isQuoted) || isNumberWord(word, scope)
  const given = (value: string | undefined): Given => ({ text: word.text, value, isPattern, isPipe, isOne })
  if (parts.some(({ type }) => type === 'BraceExpansion')) {
    const values = bracedValues(parts, scope)
    return [values === undefined ? [unknownWord(word.text)] : values.map(given)]
  }
  const values = valuesOf(word, scope, true)
  return values === undefined ? [[given(undefined)]] : values.map((value) => [given(value)])
}

/**
 * What a word may be.
 *
 * @param isSplit whether blanks in the values of variables make several words, as they do among arguments
 */
export function valuesOf(word: Word, scope: Scope, isSplit: boolean): Values {
  if (word.parts === undefined) return word.text.startsWith('~') ? homeIn(word.value, scope) : [word.value]
  const [first] = word.parts
  // A dot in front of a star may stand for the folder above.
  if (word.parts.some((part, index) => isStar(part) && /(?:^|\/)\.+$/.test(word.parts?.[index - 1]?.text ?? '')))
    return undefined
  let values: Values = ['']
  for (const part of word.parts) {
    const isHome = part === first && part.type === 'Literal' && part.text.startsWith('~')
    const found = isHome ? homeIn(part.value, scope) : valuesOfPart(part, scope, isSplit)
    if (found === undefined || values.length * found.length > maxValues) return undefined
    values = values.flatMap((before) => found.map((value) => `${before}${value}`))
  }
  return values
}

/** Not split into words, and not left out. */
function isQuoted(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return !/\$@|\$\{[^}]*@/.test(part.text)
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
}

function isStar({ type }: WordPart): boolean {
  return type === 'Glob' || type === 'ExtendedGlob'
}

function valuesOfPart(part: WordPart, scope: Scope, isSplit: boolean): Values {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value]
    case 'Glob':
      return part.kind === 'bracket' && /[./]/.test(part.text) ? undefined : [part.text]
    case 'DoubleQuoted': {
      const inner = { type: 'Word', text: '', value: '', pos: 0, end: 0, parts: part.parts } as const // as if it stood alone
      return valuesOf(inner, scope, false)
    }
    case 'SimpleExpansion':
      return whole(variableValues(part.text.slice(1), scope), isSplit)
    case 'ParameterExpansion': {
      const isPlain = part.operation === undefined && part.prefix === undefined && part.index === undefined
      return isPlain ? whole(variableValues(part.parameter, scope), isSplit) : undefined
    }
    case 'CommandExpansion':
      return /^(?:\$\(\s*pwd\s*\)|`\s*pwd\s*`)$/.test(part.text) ? whole(scope.cwds, isSplit) : undefined
    default:
      return undefined
  }
}

function variableValues(name: string, scope: Scope): Values {
  return name === 'PWD' ? scope.cwds : scope.valuesOf(name)
}

/** Values that stay one word each where the shell splits what it puts in. */
function whole(values: Values, isSplit: boolean): Values {
  return isSplit && values?.every((value) => /^[\w@%+=:,./-]+$/.test(value)) === false ? undefined : values
}

function homeIn(value: string, scope: Scope): Values {
  if (value !== '~' && !value.startsWith('~/')) return undefined
  return scope.valuesOf('HOME')?.map((home) => `${home}${value.slice(1)}`)
}

/** Words that braces make: `a{b,c}d` with nothing unknown in it. */
function bracedValues(parts: readonly WordPart[], scope: Scope): Values {
  let values: readonly string[] = ['']
  for (const part of parts) {
    const [, inner] =
      part.type === 'BraceExpansion' ? (/^\{([^{}'"\\$`*?[\]]*,[^{}'"\\$`*?[\]]*)\}$/.exec(part.text) ?? []) : []
    const found = part.type === 'BraceExpansion' ? inner?.split(',') : valuesOfPart(part, scope, true)
    if (found === undefined || (part.type !== 'BraceExpansion' && found.length > 1)) return undefined
    if (part.type === 'Literal' && part.text.startsWith('~')) return undefined
    values = values.flatMap((before) => found.map((value) => `${before}${value}`))
    if (values.length > maxValues) return undefined
  }
  return values
}
