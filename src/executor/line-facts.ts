import { basename, relative, resolve } from 'node:path'
import { isInside } from '../system/files/paths.ts'
import { realPathOf } from '../system/files/ground.ts'
import { unwrap } from './command-words.ts'
import {
  filesOf,
  givenBy,
  isFed,
  namesIn,
  rewriterIn,
  rowsOf,
  templatesOf,
  isForeign,
  isSilent,
  roleOf,
  scriptOf,
  type FactsOptions,
  type Played,
  type Role,
  type RoleOptions,
} from './roles.ts'
import { directoriesAfter, directoriesOf, isFolder, unknownDirectory } from './directories.ts'
import { readLine, type LineCommand, type LineWord } from './read-line.ts'
import { literalWords, readRules } from './rules.ts'

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

/** Never throws. A line that cannot be read word by word is an activity that proves nothing. */
export function lineFacts(line: string, options: FactsOptions): LineFacts {
  const { bare, texts } = withoutHereDocuments(line)
  const read = readLine(bare)
  if (!read.ok) return unreadFacts(line, read.problem)
  const rules = readRules(options.allow).filter(({ isForAll }) => !isForAll)
  const isWhole = rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  const { commands } = read
  const places = directoriesOf(commands, options.directories)
  const surroundings = { ...options, rules, places }
  const played = commands.map((command) => ({ command, role: roleOf(command, surroundings) }))
  const scripts = played.map((each) => otherScriptOf(each, surroundings))
  const isProduct = played.some(({ role }) => typeof role !== 'string' || role === 'own code')
  const doubt = doubtOf(played, { ...surroundings, isWhole, scripts })
  const isFeeding = played.some(({ command, role }) => isFed(command, role))
  const rewriter = isFeeding ? rewriterIn(played) : undefined
  const foreign = rules.length > 0 ? played.find(({ role }) => isForeign(role)) : undefined
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

interface DoubtOptions extends RoleOptions {
  /** Whether a rule allows the whole line to the letter. */
  readonly isWhole: boolean
  /** Of each command, the script that is another than the one that is named. */
  readonly scripts: readonly (string | undefined)[]
}

const alone = 'Run the product by itself, and quote what it prints.'

function doubtOf(played: readonly Played[], options: DoubtOptions): string | undefined {
  const { rules, isWhole, scripts } = options
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
  for (const [index, each] of played.entries()) {
    const script = scripts[index]
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

/** Whether it changes anything, or runs or shows more than words of its own. */
function isActive({ variables, redirects }: LineCommand, role: Role): boolean {
  if (role === 'print') return redirects.length > 0
  return role !== 'silent' || variables.some(({ words }) => words === undefined)
}

function targetsOf({ redirects }: LineCommand): readonly string[] {
  return redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
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
const copiers = /^(?:cp|mv)$/

/** A program of which nothing is known may write whatever it names. */
function touchedBy({ words }: LineCommand, role: Role): readonly string[] {
  return isForeign(role) ? valuesOf(words.slice(1)) : []
}

function valuesOf(words: readonly LineWord[]): readonly string[] {
  return words.flatMap(({ value }) => value ?? [])
}
