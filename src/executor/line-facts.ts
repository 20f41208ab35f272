import { basename } from 'node:path'
import { textOf, unwrap } from './command-words.ts'
import { otherFileOf } from './other-file.ts'
import { codeOption, interpreter, lookers, proveNothing, silentCommands, writers } from './programs.ts'
import { readLine, type LineCommand, type LineWord } from './read-line.ts'
import { readRules, type Rule } from './rules.ts'

export interface FactsOptions {
  /** Rules of `allow`: with one that names a command, only what such rules name is the product. */
  readonly allow: readonly string[]
  /** Absolute path of the directory in which the scenario began. */
  readonly home: string
  /** Absolute path of the directory in which the line ran. */
  readonly cwd: string
}

/** What a command line that was executed says of the product. */
export interface LineFacts {
  /** Whether it did more than print words of its own, wait, or go to a directory. */
  readonly isActivity: boolean
  /** Whether it ran a program that may be the product. */
  readonly isProduct: boolean
  /** Why nothing that it printed proves anything, and what would; absent where the product alone printed. */
  readonly doubt?: string
  /** Arguments, as programs get them: words of the agent's own. */
  readonly words: readonly string[]
  /** Files that the line names, where it only looks at files. */
  readonly lookedAt?: readonly string[]
  /** Files that it may write in words of the agent's own. */
  readonly written: readonly string[]
}

type Role = 'silent' | 'print' | 'look' | 'own code' | { readonly product: string }

/** Never throws. A line that cannot be read word by word is an activity that proves nothing. */
export function lineFacts(line: string, options: FactsOptions): LineFacts {
  const { bare, texts } = withoutHereDocuments(line)
  const read = readLine(bare)
  if (!read.ok)
    return {
      isActivity: line.trim() !== '',
      isProduct: true,
      doubt: `${unread} ${read.problem}`,
      words: [line],
      written: line.split(/[\s'"=]+/),
    }
  const rules = readRules(options.allow).filter(({ isForAll }) => !isForAll)
  const whole = rules.find((rule) => rule.isExact && rule.matches(line.trim()))
  const roles = read.commands.map((command) => ({ command, role: roleOf(command, rules) }))
  const printed = roles.filter(({ command, role }) => !command.isCaptured && !isSilent(command, role))
  const words = [...texts, ...read.commands.flatMap(({ words: all }) => argumentsOf(all))]
  const isActivity = roles.some(({ command, role }) => isActive(command, role))
  const doubt = whole === undefined ? doubtOf(printed, { ...options, rules, commands: read.commands }) : undefined
  // What the product alone prints is its own in a file, too.
  const isOfProduct = sourcesOf(roles).size === 1
  const isLook = printed.length > 0 && roles.every(({ role }) => role === 'silent' || role === 'look')
  return {
    isActivity,
    isProduct: roles.some(({ role }) => typeof role !== 'string' || role === 'own code'),
    words,
    written: roles.flatMap(({ command, role }) => writtenBy(command, role, isOfProduct)),
    ...(doubt !== undefined && { doubt }),
    ...(isLook && { lookedAt: printed.flatMap(({ command }) => filesOf(command)) }),
  }
}

/** The text of a here-document is no command. */
function withoutHereDocuments(line: string): { readonly bare: string; readonly texts: readonly string[] } {
  const texts: string[] = []
  const bare = line.replace(hereDocument, (...found: readonly string[]) => {
    texts.push(found[4] ?? '')
    return found[3] ?? ''
  })
  return { bare, texts }
}

const hereDocument = /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n([\s\S]*?)(?:\n\s*\2[ \t]*(?=\n|$)|$)/g

const unread = 'That line is not read word by word.'

interface Printed {
  readonly command: LineCommand
  readonly role: Role
}

function doubtOf(
  printed: readonly Printed[],
  {
    home,
    cwd,
    rules,
    commands,
  }: FactsOptions & { readonly rules: readonly Rule[]; readonly commands: readonly LineCommand[] },
): string | undefined {
  const other = printed.find(({ role }) => typeof role === 'string')
  const alone = 'Run the product by itself, and quote what it prints.'
  if (other !== undefined) {
    const name = unwrap(other.command.words)[0]?.text ?? ''
    if (other.role === 'own code') return `\`${name}\` ran code of your own, which is no product. ${alone}`
    return `\`${name}\` had a part in that output, and only shows what it is given. ${alone}`
  }
  const products = new Set(printed.flatMap(({ role }) => (typeof role === 'string' ? [] : [role.product])))
  if (products.size === 0)
    return `That line ran no product${rules.length === 0 ? '' : ' that a rule of `allow` names'}.`
  if (products.size > 1) return `Several programs printed that: ${[...products].join(', ')}. ${alone}`
  for (const { command } of printed) {
    const matching = rules.filter((rule) => matches(rule, command))
    const problem = otherFileOf(command, matching, { home, cwd, commands })
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Whether it changes anything, or runs or shows more than words of its own. */
function isActive({ words, variables, redirects }: LineCommand, role: Role): boolean {
  const name = words[0]?.value ?? ''
  if (role === 'print') return redirects.length > 0
  return role !== 'silent' || variables.length > 0 || writers.has(name) || name === 'kill'
}

/** Whether nothing of it comes out: it prints nothing, or into a file. */
function isSilent({ redirects }: LineCommand, role: Role): boolean {
  return role === 'silent' || redirects.some(({ operator }) => /^(?:&>>?|>>?|>\|)$/.test(operator))
}

function roleOf(command: LineCommand, rules: readonly Rule[]): Role {
  const [program, ...args] = unwrap(command.words)
  if (program?.value === undefined) return program === undefined ? 'silent' : 'own code'
  const name = basename(program.value)
  // `tee` prints what it is given, and no word of its own.
  if (silentCommands.has(name) || writers.has(name)) return 'silent'
  if (name === 'echo' || name === 'printf') return 'print'
  if (lookers.has(name) || proveNothing.has(name)) return 'look'
  const rule = rules.find((each) => matches(each, command))
  if (interpreter.test(name) && runsOwnCode(args)) return 'own code'
  if (rules.length > 0 && rule === undefined) return 'look'
  return { product: rule?.source ?? name }
}

function matches(rule: Rule, { words, variables }: LineCommand): boolean {
  const full = [...variables.map(({ text }) => text), textOf(words)].join(' ')
  return rule.matches(full) || rule.matches(textOf(words)) || rule.matches(textOf(unwrap(words)))
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

function argumentsOf(words: readonly LineWord[]): readonly string[] {
  const [program, ...args] = unwrap(words)
  if (program === undefined) return []
  // A script that an interpreter runs is a part of its name.
  const isScript = interpreter.test(basename(program.value ?? '')) && !runsOwnCode(args)
  const own = isScript ? args.slice(args.findIndex(({ value }) => value?.startsWith('-') !== true) + 1) : args
  const texts = own.map(({ value, text }) => value ?? text)
  return texts.length > 1 ? [...texts, texts.join(' ')] : texts
}

/** What prints in a line, wherever that goes. */
function sourcesOf(roles: readonly Printed[]): ReadonlySet<string> {
  return new Set(
    roles.flatMap(({ role }) => (role === 'silent' ? [] : [typeof role === 'string' ? `(${role})` : role.product])),
  )
}

/** A program of which nothing is known may write whatever it names. */
function writtenBy({ words, redirects }: LineCommand, role: Role, isOfProduct: boolean): readonly string[] {
  const first = unwrap(words)[0]?.value ?? ''
  if (isOfProduct && (typeof role !== 'string' || first === 'tee')) return []
  const targets = redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
  const name = basename(unwrap(words)[0]?.value ?? '')
  const isSafe = typeof role !== 'string' || silentCommands.has(name) || lookers.has(name)
  return isSafe ? targets : [...targets, ...words.slice(1).flatMap(({ value }) => value ?? [])]
}

function filesOf({ words, redirects }: LineCommand): readonly string[] {
  const [, ...args] = unwrap(words)
  const read = redirects.flatMap(({ operator, target }) => (operator === '<' && target !== undefined ? [target] : []))
  return [...args, ...read].flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]))
}
