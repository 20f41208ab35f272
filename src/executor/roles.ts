import { basename } from 'node:path'
import { rulesOf, unwrap } from './command-words.ts'
import { codeOption, interpreter, lookers, proveNothing, silentCommands, starters, writers } from './programs.ts'
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
export function runsOwnCode(args: readonly LineWord[]): boolean {
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
