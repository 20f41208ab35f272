import { basename, resolve } from 'node:path'
import { entriesOf } from '../system/files/list-files.ts'
import { matchGlob } from '../system/files/match-glob.ts'
import { interpreter, keepers } from './programs.ts'
import { textsOf, type LineWord } from './line-words.ts'
import { runsOwnCode, scriptOf, type Part } from './line-parts.ts'

/** Whether the part may pass words or files to a program or a variable. */
export function isFed(part: Part): boolean {
  return (
    part.variables.length > 0 ||
    part.words[0]?.value === 'read' ||
    part.role === 'product' ||
    part.role === 'own code' ||
    part.role === 'other'
  )
}

/** Whether words of the part reach another command or a file. Not if it looks at files or prints to the terminal. */
function isGiving({ role, feeds, redirects }: Part): boolean {
  return role !== 'silent' && role !== 'look' && (role !== 'print' || feeds !== undefined || redirects.length > 0)
}

export function givenBy(part: Part): readonly string[] {
  const set = part.variables.flatMap(({ value, words }) => value ?? textsOf(undefined, words))
  const read = part.redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? (target?.text ?? []) : []))
  return [...set, ...read, ...argumentsOf(part)]
}

export function wordsOf({ words, variables, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ target }) => target ?? [])
  return [...words, ...targets, ...variables].map(({ value, text }) => value ?? text)
}

export function rowsOf(part: Part): readonly string[] {
  return [argumentsOf(part), part.fed].flatMap((texts) =>
    texts.length < 2 ? [] : [...texts.slice(1).map((_, index) => texts.slice(index).join(' ')), texts.join('')],
  )
}

export function templatesOf(part: Part): readonly string[] {
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

/** A program between agent and product that may change lines; `undefined` if there is none. */
export function rewriterIn(parts: readonly Part[]): string | undefined {
  const isSetting = parts.some(({ variables }) => variables.length > 0)
  const last = parts.findLastIndex(({ role, feeds }) => role === 'product' && feeds !== 'word')
  return parts.find((part, index) => {
    const reaches = part.feeds === 'word' ? isSetting || last !== -1 : part.feeds === 'pipe' && index < last
    return reaches && part.role !== 'product' && (!keeps(part) || isFilterOfOwn(parts, index))
  })?.program?.text
}

/** Whether a filter gets the agent's words: a part of them would be words that are not known. */
function isFilterOfOwn(parts: readonly Part[], index: number): boolean {
  const source = parts.slice(0, index).findLast(({ role }) => role === 'print' || role === 'product')
  const isOwn =
    source?.role === 'print' && source.args.some(({ value = '' }) => /\w/.test(value.replace(/%s|\\n/g, '')))
  return parts[index]?.role === 'look' && parts[index]?.program?.value !== 'cat' && isOwn && source.feeds !== undefined
}

export function keeps({ role, program, args }: Part): boolean {
  // `echo -e` and `echo $option` may decode what they print.
  if (program?.value === 'echo') return args.every(({ value, text }) => !/\\|^-\w*e|^\$/.test(value ?? text))
  if (role === 'print') return /^(?:[^%\\]|%s|\\n)*$/.test(args[0]?.value ?? '%')
  return role === 'silent' || keepers.test(program?.value ?? '')
}

/** The files, as absolute paths, that the part's words name. */
export function filesOf(part: Part): readonly string[] {
  const words = inputsOf(part).filter(({ value }) => value?.startsWith('-') !== true && value !== scriptOf(part))
  return part.directories.flatMap((directory) => words.flatMap((word) => pathsOf(word, directory)))
}

export function inputsOf({ args, redirects }: Part): readonly LineWord[] {
  return [...args, ...redirects.flatMap(({ operator, target }) => (operator === '<' ? (target ?? []) : []))]
}

export function namesIn(part: Part): readonly string[] {
  return valuesOf(inputsOf(part)).filter((value) => !value.startsWith('-'))
}

/** The paths for which a word may stand in a folder. `--file=x` stands for `x`. */
export function pathsOf({ value, pieces = [], isPattern }: LineWord, directory: string): readonly string[] {
  const names = (value === undefined ? pieces : [value]).map((name) => /^-[^=]*=(.+)$/.exec(name)?.[1] ?? name)
  return names.flatMap((name) =>
    isPattern === true ? matchesOf(directory, name.split('/')) : resolve(directory, name),
  )
}

function matchesOf(folder: string, [name = '', ...more]: readonly string[]): readonly string[] {
  // A superset of what bash finds: files that only a wider pattern matches are doubted as well.
  const wide = name.replaceAll(/\[[^\]]+\]/g, '?')
  const found = /[*?]/.test(wide)
    ? entriesOf(folder).flatMap((entry) => (matchGlob(entry.name, wide) ? entry.name : []))
    : [name]
  const paths = found.map((each) => (name === '' ? '/' : resolve(folder, each)))
  return more.length === 0 ? paths : paths.flatMap((path) => matchesOf(path, more))
}

export function writtenBy({ role, program, args, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
  const isInPlace = program?.value === 'sed' && args.some(({ value = '' }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value))
  if (role !== 'write' && !(role === 'look' && isInPlace)) return targets
  const operands = valuesOf(args).filter((value) => !value.startsWith('-'))
  return [...targets, ...(/^(?:cp|mv)$/.test(program?.value ?? '') ? operands.slice(-1) : operands)]
}

export function valuesOf(words: readonly LineWord[]): readonly string[] {
  return words.flatMap(({ value }) => value ?? [])
}
