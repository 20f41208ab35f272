import { basename, resolve } from 'node:path'
import { entriesOf } from '../system/files/list-files.ts'
import { matchGlob } from '../system/files/match-glob.ts'
import { interpreter, keepers } from './known-programs.ts'
import { textsOf, type LineWord } from './resolve-words.ts'
import { runsOwnCode, scriptOf, type Part } from './command-facts.ts'

export interface HandedOn {
  /** The agent's own words that a command line passed to a product, a file or a variable. */
  readonly given: readonly string[]
  /** Joined arguments: a product that gets `a` and `b` may print `a b`. */
  readonly rows: readonly string[]
  /** All words of the command line. Error messages may repeat them, so they are no evidence. */
  readonly words: readonly string[]
  /** Regular expressions for arguments whose value is only partly known, such as `id-$RANDOM`. */
  readonly templates: readonly string[]
  /** Absolute paths of files whose content may have reached a product or a variable. */
  readonly givenFiles: readonly string[]
  /** Program that changes words before the product gets them. The product's input is then unknown. */
  readonly rewriter?: string
}

/** Returns the words and files of the agent that a command line passed on. `isAsked`: the line stands in the spec. */
export function handedOn(parts: readonly Part[], isAsked: boolean): HandedOn {
  const isFeeding = parts.some(isFed)
  const rewriter = isFeeding && !isAsked ? rewriterIn(parts) : undefined
  return {
    given: parts.flatMap(givenBy),
    rows: parts.flatMap(rowsOf),
    templates: parts.flatMap(templatesOf),
    givenFiles: isFeeding ? parts.flatMap(filesOf) : [],
    words: parts.flatMap(partWords),
    ...(rewriter !== undefined && { rewriter }),
  }
}

/** Whether the command may pass words or files to a program or a variable. */
function isFed(part: Part): boolean {
  const isRun = part.role === 'product' || part.role === 'own code' || part.role === 'other'
  return isRun || part.variables.length > 0 || part.words[0]?.value === 'read'
}

/** Whether words of the command reach another command or a file. Words that only reach the terminal do not count. */
function isGiving({ role, feeds, redirects }: Part): boolean {
  return role !== 'silent' && role !== 'look' && (role !== 'print' || feeds !== undefined || redirects.length > 0)
}

function givenBy(part: Part): readonly string[] {
  const set = part.variables.flatMap(({ value, words }) => value ?? textsOf(undefined, words))
  const read = part.redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? (target?.text ?? []) : []))
  return [...set, ...read, ...argumentsOf(part)]
}

function partWords({ words, variables, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ target }) => target ?? [])
  return [...words, ...targets, ...variables].map(({ value, text }) => value ?? text)
}

function rowsOf(part: Part): readonly string[] {
  return [argumentsOf(part), part.fed].flatMap((texts) =>
    texts.length < 2 ? [] : [...texts.slice(1).map((_, index) => texts.slice(index).join(' ')), texts.join('')],
  )
}

function templatesOf(part: Part): readonly string[] {
  const texts = part.redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? (target ?? []) : []))
  const set = part.variables.flatMap(({ words }) => words)
  return [...set, ...texts, ...(isGiving(part) ? part.args : [])].flatMap(({ template }) => template ?? [])
}

function argumentsOf(part: Part): readonly string[] {
  const { program, args } = part
  if (program === undefined || !isGiving(part)) return []
  const isScript = interpreter.test(basename(program.value ?? '')) && !runsOwnCode(args)
  const own = isScript ? args.slice(args.findIndex(({ value }) => value?.startsWith('-') !== true) + 1) : args
  return textsOf(program, own)
}

/** The first program between agent and product that may change words, such as `sed`. */
function rewriterIn(parts: readonly Part[]): string | undefined {
  const isSetting = parts.some(({ variables }) => variables.length > 0)
  const last = parts.findLastIndex(({ role, feeds }) => role === 'product' && feeds !== 'word')
  return parts.find((part, index) => {
    const reaches = part.feeds === 'word' ? isSetting || last !== -1 : part.feeds === 'pipe' && index < last
    return reaches && part.role !== 'product' && (!keeps(part) || isFilterOfOwn(parts, index))
  })?.program?.text
}

/** Whether a filter such as `grep` gets words of the agent. Then nobody knows what the filter prints. */
function isFilterOfOwn(parts: readonly Part[], index: number): boolean {
  const source = parts.slice(0, index).findLast(({ role }) => role === 'print' || role === 'product')
  if (parts[index]?.role !== 'look' || parts[index]?.program?.value === 'cat' || source?.feeds === undefined)
    return false
  return source.role === 'print' && source.args.some(({ value = '' }) => hasWords(value))
}

function hasWords(text: string): boolean {
  return /\w/.test(text.replace(/%s|\\n/g, ''))
}

export function keeps({ role, program, args }: Part): boolean {
  // `echo -e` and `echo $option` may decode what they print.
  if (program?.value === 'echo') return args.every(({ value, text }) => !/\\|^-\w*e|^\$/.test(value ?? text))
  if (role !== 'print') return role === 'silent' || keepers.test(program?.value ?? '')
  const [format = '%', ...given] = args.map(({ value }) => value)
  // Words around an unknown argument make an unknown text.
  return /^(?:[^%\\]|%s|\\n)*$/.test(format) && !(hasWords(format) && given.includes(undefined))
}

/** Programs that copy files: the last operand is the target, all others are sources. */
const copiers = /^(?:cp|mv)$/

/** Absolute paths of files that the command may read. Of the writing commands, only `cp` and `mv` read files. */
function filesOf(part: Part): readonly string[] {
  if (part.role === 'write' && !copiers.test(part.program?.value ?? '')) return []
  const script = scriptOf(part)
  const isFile = ({ value }: LineWord): boolean => value === undefined || (!value.startsWith('-') && value !== script)
  const words = inputsOf(part).filter(isFile)
  return part.directories.flatMap((directory) => words.flatMap((word) => pathsOf(word, directory)))
}

export function inputsOf({ args, redirects }: Part): readonly LineWord[] {
  return [...args, ...redirects.flatMap(({ operator, target }) => (operator === '<' ? (target ?? []) : []))]
}

export function inputNames(part: Part): readonly string[] {
  return valuesOf(inputsOf(part)).filter((value) => !value.startsWith('-'))
}

/** Paths that a word may name in a folder. The word `--file=x` names `x`. */
export function pathsOf({ value, text, pieces = [], isPattern }: LineWord, directory: string): readonly string[] {
  const names = (value !== undefined ? [value] : /^"?\$[^/]*$/.test(text) ? pieces : []).map(
    (name) => /^-[^=]*=(.+)$/.exec(name)?.[1] ?? name,
  )
  return isPattern === true
    ? names.flatMap((name) => matchesOf(name, directory))
    : names.map((name) => resolve(directory, name))
}

/** Paths that match a pattern. If there are too many, returns only the folder in which the pattern begins. */
function matchesOf(pattern: string, directory: string): readonly string[] {
  const start = pattern.replace(/[^/]*[*?[].*$/s, '')
  let found = [resolve(directory, start)]
  for (const name of pattern.slice(start.length).split('/')) {
    found = found.flatMap((folder) => matchesIn(folder, name))
    if (found.length > maxMatches) return [resolve(directory, start)]
  }
  return found
}

const maxMatches = 1_000

/** Paths in a folder that match one name of a pattern. The names `.`, `..` and an empty name always match. */
function matchesIn(folder: string, name: string): readonly string[] {
  if (/^\.{0,2}$/.test(name)) return [resolve(folder, name)]
  const wide = name.replaceAll(/\[[^\]]+\]/g, '?')
  const isMatch = (entry: string): boolean => matchGlob(entry, wide) && (wide.startsWith('.') || !entry.startsWith('.'))
  return entriesOf(folder).flatMap((entry) => (isMatch(entry.name) ? resolve(folder, entry.name) : []))
}

export function writtenBy({ role, program, args, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
  const isInPlace = program?.value === 'sed' && args.some(({ value = '' }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value))
  if (role !== 'write' && !(role === 'look' && isInPlace)) return targets
  const operands = valuesOf(args).filter((value) => !value.startsWith('-'))
  return [...targets, ...(copiers.test(program?.value ?? '') ? operands.slice(-1) : operands)]
}

export function valuesOf(words: readonly LineWord[]): readonly string[] {
  return words.flatMap(({ value }) => value ?? [])
}
