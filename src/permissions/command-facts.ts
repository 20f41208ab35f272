import { basename, relative, resolve } from 'node:path'
import { realPathOf } from '../system/files/trusted-folder.ts'
import { codeOption, interpreter, lookerOf, proveNothing, silentCommands, starters, writers } from './known-programs.ts'
import type { LineWord } from './resolve-words.ts'
import type { LineCommand, ReadOptions } from './read-command-line.ts'
import { rulesOf, type Rule } from './allow-rules.ts'

export interface FactsOptions extends ReadOptions {
  readonly allow: readonly string[]
  readonly home: string
  /** Whether the spec names this file or folder, relative to `home` or as an absolute path. */
  readonly isNamed: (path: string) => boolean
  /** Whether the spec contains the whole command line, word for word. */
  readonly isAsked?: (line: string) => boolean
  /** Whether the file or folder (absolute path) may be the agent's own work. False if the spec created it. */
  readonly isOwn?: (path: string) => boolean
}

export type Context = FactsOptions & { readonly rules: readonly Rule[] }

export interface Part extends LineCommand {
  readonly role: 'silent' | 'print' | 'look' | 'write' | 'own code' | 'other' | 'product'
  /** The rule that allows the product. If there are no rules, the name of the program. */
  readonly product: string
  readonly otherScript: string | undefined
}

export function partOf(command: LineCommand, context: Context): Part {
  const { rules, home } = context
  const known = roleOf(command)
  const [rule] = known === undefined ? rulesOf(command, rules, home) : []
  const role = known ?? (rules.length > 0 && rule === undefined ? 'other' : 'product')
  const script = role === 'product' && rules.length > 0 ? scriptOf(command) : undefined
  // A spec that names `app.mjs` means this file, and not `old/app.mjs`.
  const isOther =
    script !== undefined &&
    isMeant(resolve(home, basename(script)), context) &&
    command.directories.some((directory) => !isMeant(resolve(directory, script), context))
  const product = rule?.source ?? basename(command.program?.value ?? '')
  return { ...command, role, product, otherScript: isOther ? script : undefined }
}

function roleOf({ program, args }: LineCommand): Part['role'] | undefined {
  if (program === undefined) return 'silent'
  if (program.value === undefined) return 'own code'
  const name = basename(program.value)
  if (silentCommands.has(name)) return 'silent'
  if (/^(?:echo|printf|yes)$/.test(name)) return 'print'
  if (writers.has(name)) return 'write'
  if (lookerOf(name, args) !== undefined || proveNothing.has(name)) return 'look'
  return starters.test(name) || (interpreter.test(name) && runsOwnCode(args)) ? 'own code' : undefined
}

/** Whether an interpreter runs code from stdin or from an option such as `-e`, and not a file or a module. */
export function runsOwnCode(args: readonly LineWord[]): boolean {
  const at = args.findIndex(({ value }) => value?.startsWith('-') !== true)
  if (at === -1 || args[at]?.value === 'eval') return true
  return args.slice(0, at).some(({ value = '' }) => codeOption.test(value) && value !== '-m')
}

export function scriptOf({ program, args }: LineCommand): string | undefined {
  if (!interpreter.test(basename(program?.value ?? ''))) return undefined
  return args.find(({ value }) => value?.startsWith('-') !== true && /[./]/.test(value ?? ''))?.value
}

/** Whether a rule or the spec names this file or folder. The start folder of the scenario counts as named. */
export function isMeant(path: string, { home, rules, isNamed }: Context): boolean {
  const name = relative(home, path)
  const names = [path, name, `./${name}`]
  if (rules.some(({ words }) => words.some((word) => names.includes(word)))) return true
  return realPathOf(path) === realPathOf(home) || isNamed(path)
}
