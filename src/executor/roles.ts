import { basename, resolve } from 'node:path'
import { rulesOf, unwrap } from './command-words.ts'
import {
  codeOption,
  interpreter,
  lookers,
  proveNothing,
  silentCommands,
  starters,
  writers,
  keepers,
} from './programs.ts'
import type { LineCommand, LineWord } from './read-line.ts'
import type { Rule } from './rules.ts'

export interface FactsOptions {
  /** Rules of `allow`: with one that names a command, only what such rules name is the product. */
  readonly allow: readonly string[]
  /** Absolute path of the directory in which the scenario began. */
  readonly home: string
  /** Absolute paths of the directories in which the line may have begun. */
  readonly directories: readonly string[]
  /** Whether the spec names a file or a folder, as a path from `home` or an absolute one. */
  readonly isNamed: (path: string) => boolean
}

/** What a command of a line does, as far as proof goes. */
export type Role = 'silent' | 'print' | 'look' | 'write' | 'own code' | 'other' | { readonly product: string }

export interface Played {
  readonly command: LineCommand
  readonly role: Role
}

export interface RoleOptions extends FactsOptions {
  readonly rules: readonly Rule[]
  readonly places: (command: LineCommand) => readonly string[]
}

/** The file that an interpreter runs. */
export function scriptOf(program: LineWord | undefined, args: readonly LineWord[]): string | undefined {
  if (!interpreter.test(basename(program?.value ?? ''))) return undefined
  return args.find(({ value }) => value?.startsWith('-') !== true && /[./]/.test(value ?? ''))?.value
}

/** Whether nothing is printed by it but words that stand in the line. */
export function isSilent({ words, variables }: LineCommand, role: Role): boolean {
  if (role !== 'silent' && role !== 'write') return false
  const all = [...words, ...variables.flatMap(({ words: given = [] }) => given)]
  return all.every(({ value, text }) => value !== undefined || /^"?\$[!?]"?$/.test(text))
}

export function roleOf(command: LineCommand, { rules, home, places }: RoleOptions): Role {
  const [program, ...args] = unwrap(command.words)
  if (program === undefined) return 'silent'
  if (program.value === undefined) return 'own code'
  const name = basename(program.value)
  if (silentCommands.has(name)) return 'silent'
  if (name === 'echo' || name === 'printf') return 'print'
  if (writers.has(name)) return 'write'
  if (lookers.has(name) || proveNothing.has(name)) return 'look'
  if (starters.test(name) || (interpreter.test(name) && runsOwnCode(args))) return 'own code'
  const [rule] = rulesOf(command, rules, { home, directories: places(command) })
  return rules.length > 0 && rule === undefined ? 'other' : { product: rule?.source ?? name }
}

/** Whether an interpreter is given code in place of a file. A module (`python -m pytest`) is none of the agent's. */
function runsOwnCode(args: readonly LineWord[]): boolean {
  const at = args.findIndex(({ value }) => value?.startsWith('-') !== true)
  const options = at === -1 ? args : args.slice(0, at)
  return (
    at === -1 ||
    options.some(({ value = '' }) => codeOption.test(value) && value !== '-m') ||
    args[at]?.value === 'eval'
  )
}

/** Whether it runs what may do anything, and is not known to be the product. */
export function isForeign(role: Role): boolean {
  return role === 'own code' || role === 'other'
}

/** Whether words or files may reach a program or a variable by it. */
export function isFed({ words, variables }: LineCommand, role: Role): boolean {
  return variables.length > 0 || words[0]?.value === 'read' || typeof role !== 'string' || isForeign(role)
}

/** What only looks, or prints to the terminal, gives its words to nobody. */
export function givenBy({ command, role }: Played): readonly string[] {
  const { words, variables } = command
  const set = variables.flatMap(({ text, value, words: values }) =>
    values === undefined ? [value ?? text.replace(/^\w+\+?=/, '')] : values.map((word) => word.value ?? word.text),
  )
  return [...set, ...(isGiving(command, role) ? argumentsOf(words) : [])]
}

export function rowsOf({ command, role }: Played): readonly string[] {
  const texts = isGiving(command, role) ? argumentsOf(command.words) : []
  return texts.length < 2 ? [] : [...texts.slice(1).map((_, index) => texts.slice(index).join(' ')), texts.join('')]
}

export function templatesOf({ command, role }: Played): readonly (readonly string[])[] {
  const words = isGiving(command, role) ? unwrap(command.words).slice(1) : []
  return words.flatMap(({ pieces = [] }) => (pieces.length > 0 ? [pieces] : []))
}

function isGiving({ feeds, redirects }: LineCommand, role: Role): boolean {
  return role !== 'silent' && role !== 'look' && (role !== 'print' || feeds !== undefined || redirects.length > 0)
}

function argumentsOf(words: readonly LineWord[]): readonly string[] {
  const [program, ...args] = unwrap(words)
  if (program === undefined) return []
  // A script that an interpreter runs is a part of its name.
  const isScript = interpreter.test(basename(program.value ?? '')) && !runsOwnCode(args)
  const own = isScript ? args.slice(args.findIndex(({ value }) => value?.startsWith('-') !== true) + 1) : args
  return own.map(({ value, text }) => value ?? text)
}

/** A program between the agent and the product that keeps no line as it is. */
export function rewriterIn(played: readonly Played[]): string | undefined {
  const isProduct = ({ role, command }: Played): boolean => typeof role !== 'string' && command.feeds !== 'word'
  const isSetting = played.some(({ command }) => command.variables.length > 0)
  const last = played.findLastIndex(isProduct)
  const found = played.find(({ command, role }, index) => {
    const reaches = command.feeds === 'word' ? isSetting || last !== -1 : command.feeds === 'pipe' && index < last
    return reaches && typeof role === 'string' && !keeps(command, role)
  })
  return found && unwrap(found.command.words)[0]?.text
}

function keeps({ words }: LineCommand, role: Role): boolean {
  const [program, format] = unwrap(words)
  if (role === 'print')
    return program?.value === 'echo' || (format?.value !== undefined && /^(?:[^%\\]|%s\\n|\\n)*$/.test(format.value))
  return role === 'silent' || keepers.test(program?.value ?? '')
}

/** Files that it names, but for the script that it is. */
export function filesOf(command: LineCommand, places: (command: LineCommand) => readonly string[]): readonly string[] {
  const [program, ...args] = unwrap(command.words)
  const script = scriptOf(program, args)
  const names = [...new Set(namesIn(command))].filter((name) => name !== script)
  return places(command).flatMap((directory) => names.map((name) => resolve(directory, name)))
}

export function namesIn({ words, redirects }: LineCommand): readonly string[] {
  const [, ...args] = unwrap(words)
  const read = redirects.flatMap(({ operator, target }) => (operator === '<' && target !== undefined ? [target] : []))
  return [...args, ...read].flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]))
}
