import { basename, relative, resolve } from 'node:path'
import { isInside } from '../system/files/is-inside.ts'
import { realPathOf } from '../system/files/ground.ts'
import { ruleTexts, unwrap } from './command-words.ts'
import { directoriesAfter, directoriesOf, isFolder, unknownDirectory } from './directories.ts'
import {
  codeOption,
  interpreter,
  keepers,
  lookers,
  proveNothing,
  silentCommands,
  starters,
  writers,
} from './programs.ts'
import { readLine, type LineCommand, type LineWord } from './read-line.ts'
import { literalWords, readRules, type Rule } from './rules.ts'

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

/** What a command line that was executed says of the product. */
export interface LineFacts {
  /** Whether it did more than print words of its own, wait, or go to a directory. */
  readonly isActivity: boolean
  /** Whether it ran a program that may be the product. */
  readonly isProduct: boolean
  /** Why nothing that it printed proves anything, and what would; absent where the product alone printed. */
  readonly doubt?: string
  /** Words that the product, a file or a variable got: the agent's own. */
  readonly given: readonly string[]
  /** Arguments in a row: a product may put them together. */
  readonly rows: readonly string[]
  /** Texts around what is not known, of arguments that are put together. */
  readonly templates: readonly (readonly string[])[]
  /** Files whose content they may have got, as absolute paths. */
  readonly givenFiles: readonly string[]
  /** What rewrites words on their way to the product, so that nobody knows what it got. */
  readonly rewriter?: string
  /** Files that the line names, where it only looks at files. */
  readonly lookedAt?: readonly string[]
  /** Files that it writes, and those that programs of it may write. */
  readonly written: readonly string[]
  readonly touched: readonly string[]
  /** A program that no rule names, though there are rules, or another script than the one that is named. */
  readonly stranger?: string
  /** Whether the product alone printed, wherever that went. */
  readonly isOfProduct: boolean
  /** Whether its last command is the product, so that the exit code of the line is the product's. */
  readonly endsInProduct: boolean
  /** Absolute paths of the directories in which the shell may be behind it. */
  readonly directoriesAfter: readonly string[]
}

type Role = 'silent' | 'print' | 'look' | 'write' | 'own code' | 'other' | { readonly product: string }

interface Played {
  readonly command: LineCommand
  readonly role: Role
}

/** Never throws. A line that cannot be read word by word is an activity that proves nothing. */
export function lineFacts(line: string, options: FactsOptions): LineFacts {
  const { bare, texts } = withoutHereDocuments(line)
  const read = readLine(bare)
  if (!read.ok) return unreadFacts(line, read.problem)
  const rules = readRules(options.allow).filter(({ isForAll }) => !isForAll)
  const isWhole = rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  const { commands } = read
  const places = directoriesOf(commands, options.directories)
  const played = commands.map((command) => ({ command, role: roleOf(command, { ...options, rules, places }) }))
  const isProduct = played.some(({ role }) => typeof role !== 'string' || role === 'own code')
  const doubt = doubtOf(played, { ...options, rules, places, isWhole })
  const isFeeding = played.some(({ command, role }) => isFed(command, role))
  const rewriter = isFeeding ? rewriterIn(played) : undefined
  const foreign = rules.length > 0 ? played.find(({ role }) => isForeign(role)) : undefined
  const scripts = played.map((each) => otherScriptOf(each, { ...options, rules, places }))
  const stranger = scripts.find((script) => script !== undefined) ?? foreign?.command.words[0]?.text
  const isOfProduct =
    played.some(({ role }) => typeof role !== 'string') &&
    played.every(({ command, role }) => typeof role !== 'string' || isSilent(command, role))
  const isLook = played.every(({ role }) => role === 'silent' || role === 'look')
  const shown = played.filter(({ role }) => role === 'look')
  return {
    isActivity: played.some(({ command, role }) => isActive(command, role)),
    isProduct,
    isOfProduct,
    endsInProduct: typeof played.findLast(({ command }) => command.feeds === undefined)?.role === 'object',
    given: [...texts, ...played.flatMap(givenBy)],
    rows: played.flatMap(rowsOf),
    templates: played.flatMap(templatesOf),
    givenFiles: isFeeding ? played.flatMap(({ command }) => filesOf(command, places)) : [],
    written: played.flatMap(({ command, role }) => writtenBy(command, role)),
    touched: played.flatMap(({ command, role }) => touchedBy(command, role)),
    directoriesAfter: directoriesAfter(commands, options.directories),
    ...(doubt !== undefined && { doubt }),
    ...(rewriter !== undefined && { rewriter }),
    ...(stranger !== undefined && { stranger }),
    ...(isLook && shown.length > 0 && { lookedAt: shown.flatMap(({ command }) => namesIn(command)) }),
  }
}

function unreadFacts(line: string, problem: string): LineFacts {
  return {
    isActivity: line.trim() !== '',
    isProduct: true,
    isOfProduct: false,
    endsInProduct: false,
    doubt: `That line is not read word by word. ${problem}`,
    given: [line],
    rows: [],
    templates: [],
    givenFiles: [],
    written: [],
    touched: line.split(/[\s'"=<>]+/),
    directoriesAfter: [unknownDirectory],
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

interface RoleOptions extends FactsOptions {
  readonly rules: readonly Rule[]
  readonly places: (command: LineCommand) => readonly string[]
}

interface DoubtOptions extends RoleOptions {
  /** Whether a rule allows the whole line to the letter. */
  readonly isWhole: boolean
}

const alone = 'Run the product by itself, and quote what it prints.'

function doubtOf(played: readonly Played[], options: DoubtOptions): string | undefined {
  const { rules, isWhole } = options
  const other = played.find(({ command, role }) => typeof role === 'string' && !isSilent(command, role))
  if (other !== undefined && !isWhole) {
    const name = unwrap(other.command.words)[0]?.text ?? other.command.variables[0]?.text ?? ''
    return other.role === 'own code'
      ? `\`${name}\` ran code of your own, which is no product. ${alone}`
      : `\`${name}\` had a part in that output. ${alone}`
  }
  const products = played.flatMap(({ role }) => (typeof role === 'string' ? [] : [role.product]))
  if (products.length === 0 && !isWhole)
    return `That line ran no product${rules.length === 0 ? '' : ' that a rule of `allow` names'}.`
  const names = new Set(products)
  if (names.size > 1 && !isWhole) return `Several programs printed that: ${[...names].join(', ')}. ${alone}`
  for (const each of played) {
    const script = otherScriptOf(each, options)
    if (script !== undefined) return `\`${script}\` is another file than the one that a rule or the spec names.`
    const problem = typeof each.role === 'string' ? undefined : placeDoubt(each.command, options)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The product runs where the scenario began, where its own file is, or in a folder that the spec or a rule names. */
function placeDoubt(command: LineCommand, options: RoleOptions): string | undefined {
  const { home, places } = options
  for (const directory of places(command)) {
    if (directory === unknownDirectory) return `In which folder that ran is not known. Run the product in ${home}.`
    const [program, ...args] = unwrap(command.words)
    const script = scriptOf(program, args)
    const isOwnPlace = script !== undefined && isInside(realPathOf(resolve(directory, script)), realPathOf(directory))
    if (!isOwnPlace && !isMeant(directory, options))
      return `That ran in ${directory}, which neither the spec nor a rule names. Run the product in ${home}.`
    const folder = args.find(({ value }) => {
      const [, behind = value] = /^-[^=]*=(.+)$/.exec(value ?? '') ?? []
      return (
        behind !== undefined && isFolder(resolve(directory, behind)) && !isMeant(resolve(directory, behind), options)
      )
    })
    if (folder !== undefined)
      return `\`${folder.text}\` is a folder that neither the spec nor a rule names. Run the product on its own data.`
  }
  return undefined
}

/** Whether a rule or the spec names a file or folder, or it is where the scenario began. */
function isMeant(path: string, { home, rules, isNamed }: RoleOptions): boolean {
  const name = relative(home, path)
  const inRules = rules.flatMap(literalWords)
  return (
    realPathOf(path) === realPathOf(home) ||
    [path, name, `./${name}`].some((one) => inRules.includes(one)) ||
    isNamed(path)
  )
}

function otherScriptOf({ command, role }: Played, options: RoleOptions): string | undefined {
  const [program, ...args] = unwrap(command.words)
  const script = typeof role === 'string' || options.rules.length === 0 ? undefined : scriptOf(program, args)
  if (script === undefined) return undefined
  const isOther = (directory: string): boolean => !isMeant(resolve(directory, script), options)
  // Beside `app.mjs` that is named, `old/app.mjs` is another; a script of another name may well be the product.
  const isNamedElsewhere = isMeant(resolve(options.home, basename(script)), options)
  return isNamedElsewhere && options.places(command).some(isOther) ? script : undefined
}

/** The file that an interpreter runs. */
function scriptOf(program: LineWord | undefined, args: readonly LineWord[]): string | undefined {
  if (!interpreter.test(basename(program?.value ?? ''))) return undefined
  return args.find(({ value }) => value?.startsWith('-') !== true && /[./]/.test(value ?? ''))?.value
}

/** Whether it changes anything, or runs or shows more than words of its own. */
function isActive({ variables, redirects }: LineCommand, role: Role): boolean {
  if (role === 'print') return redirects.length > 0
  return role !== 'silent' || variables.some(({ words }) => words === undefined)
}

/** Whether nothing is printed by it but words that stand in the line. */
function isSilent({ words, variables }: LineCommand, role: Role): boolean {
  if (role !== 'silent' && role !== 'write') return false
  const all = [...words, ...variables.flatMap(({ words: given = [] }) => given)]
  return all.every(({ value, text }) => value !== undefined || /^"?\$[!?]"?$/.test(text))
}

function roleOf(command: LineCommand, { rules, home, places }: RoleOptions): Role {
  const [program, ...args] = unwrap(command.words)
  if (program === undefined) return 'silent'
  if (program.value === undefined) return 'own code'
  const name = basename(program.value)
  if (silentCommands.has(name)) return 'silent'
  if (name === 'echo' || name === 'printf') return 'print'
  if (writers.has(name)) return 'write'
  if (lookers.has(name) || proveNothing.has(name)) return 'look'
  const rule = rules.find((each) =>
    places(command).every((directory) => ruleTexts(command, { home, directory }).some(each.matches)),
  )
  if (starters.test(name) || (interpreter.test(name) && runsOwnCode(args))) return 'own code'
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

/** Whether words or files may reach a program or a variable by it. */
function isFed({ words, variables }: LineCommand, role: Role): boolean {
  return variables.length > 0 || words[0]?.value === 'read' || typeof role !== 'string' || isForeign(role)
}

/** What only looks, or prints to the terminal, gives its words to nobody. */
function givenBy({ command, role }: Played): readonly string[] {
  const { words, variables } = command
  const set = variables.flatMap(({ text, value, words: values }) =>
    values === undefined ? [value ?? text.replace(/^\w+\+?=/, '')] : values.map((word) => word.value ?? word.text),
  )
  return [...set, ...(isGiving(command, role) ? argumentsOf(words) : [])]
}

function rowsOf({ command, role }: Played): readonly string[] {
  const texts = isGiving(command, role) ? argumentsOf(command.words) : []
  return texts.length < 2 ? [] : [...texts.slice(1).map((_, index) => texts.slice(index).join(' ')), texts.join('')]
}

function templatesOf({ command, role }: Played): readonly (readonly string[])[] {
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
function rewriterIn(played: readonly Played[]): string | undefined {
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

function targetsOf({ redirects }: LineCommand): readonly string[] {
  return redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
}

/** Whether it runs what may do anything, and is not known to be the product. */
function isForeign(role: Role): boolean {
  return role === 'own code' || role === 'other'
}

/** What `cp`, `sed -i` and their like name besides. */
function writtenBy(command: LineCommand, role: Role): readonly string[] {
  const [program, ...args] = unwrap(command.words)
  const isInPlace = role === 'look' && program?.value === 'sed' && args.some(({ value = '' }) => inPlace.test(value))
  const operands = args.filter(({ value }) => value?.startsWith('-') === false)
  const named = role === 'write' && copiers.test(program?.value ?? '') ? operands.slice(-1) : operands
  return [...targetsOf(command), ...(role === 'write' || isInPlace ? valuesOf(named) : [])]
}

const inPlace = /^(?:-[a-zA-Z]*i|--in-place)/
const copiers = /^(?:cp|mv|ln)$/

/** A program of which nothing is known may write whatever it names. */
function touchedBy({ words }: LineCommand, role: Role): readonly string[] {
  return isForeign(role) ? valuesOf(words.slice(1)) : []
}

function valuesOf(words: readonly LineWord[]): readonly string[] {
  return words.flatMap(({ value }) => value ?? [])
}

/** Files that it names, but for the script that it is. */
function filesOf(command: LineCommand, places: (command: LineCommand) => readonly string[]): readonly string[] {
  const [program, ...args] = unwrap(command.words)
  const script = scriptOf(program, args)
  const names = [...new Set(namesIn(command))].filter((name) => name !== script)
  return places(command).flatMap((directory) => names.map((name) => resolve(directory, name)))
}

function namesIn({ words, redirects }: LineCommand): readonly string[] {
  const [, ...args] = unwrap(words)
  const read = redirects.flatMap(({ operator, target }) => (operator === '<' && target !== undefined ? [target] : []))
  return [...args, ...read].flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]))
}
