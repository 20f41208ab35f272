import { basename, dirname, relative, resolve } from 'node:path'
import { isInside, statsOf } from '../system/files/paths.ts'
import { realPathOf } from '../system/files/ground.ts'
import {
  codeOption,
  interpreter,
  keepers,
  lookerOf,
  proveNothing,
  silentCommands,
  starters,
  writers,
} from './programs.ts'
import type { LineWord } from './line-words.ts'
import { isFolder, readLine, unknownDirectory, type LineCommand } from './read-line.ts'
import { readRules, rulesOf, type Rule } from './rules.ts'

export interface LineFacts {
  /** Whether the line did more than print its own words, wait, or change the directory. */
  readonly isActivity: boolean
  readonly isProduct: boolean
  /** Why the line's output proves nothing, and what would prove it. Absent if only the product printed. */
  readonly doubt?: string
  /** The agent's own words that the line passed to a product, a file or a variable. */
  readonly given: readonly string[]
  /** Consecutive arguments, joined: a product may print them as one text. */
  readonly rows: readonly string[]
  /** All words of the line. Error messages and traces may repeat them, which proves nothing. */
  readonly words: readonly string[]
  /** Regular expressions for arguments that are known only in part. */
  readonly templates: readonly string[]
  /** Files whose content may have gone to a product or a variable, as absolute paths. */
  readonly givenFiles: readonly string[]
  /** Program that changes words on their way to the product, so that its input is unknown. */
  readonly rewriter?: string
  readonly lookedAt?: readonly string[]
  readonly written: readonly string[]
  /** Files that only the product wrote. */
  readonly made: readonly string[]
  readonly touched: readonly string[]
  readonly stranger?: string
  /** Whether the product runs last and by itself, so that the line exits with the product's exit code. */
  readonly endsInProduct: boolean
  readonly showsAll: boolean
  readonly directoriesAfter: readonly string[]
}

interface FactsOptions {
  readonly allow: readonly string[]
  readonly home: string
  readonly directories: readonly string[]
  /** Whether the spec names this file or folder, relative to `home` or as an absolute path. */
  readonly isNamed: (path: string) => boolean
  /** Whether the spec contains exactly this command line. */
  readonly isAsked?: (line: string) => boolean
  /** Whether the agent, and not the spec, may have created this file or folder (absolute path). */
  readonly isOwn?: (path: string) => boolean
}

interface Context extends FactsOptions {
  readonly rules: readonly Rule[]
}

interface Part extends LineCommand {
  readonly role: 'silent' | 'print' | 'look' | 'write' | 'own code' | 'other' | 'product'
  /** Rule that names the product, or otherwise the program's name. */
  readonly product: string
  readonly otherScript: string | undefined
}

/** What a line did, and what its output proves. Never throws. A line that cannot be read proves nothing. */
export function lineFacts(line: string, options: FactsOptions): LineFacts {
  const read = readLine(line, options)
  if (!read.ok) return unreadFacts(line, read.problem)
  const { directoriesAfter } = read
  const rules = readRules(options.allow).filter(({ isForAll }) => !isForAll)
  const context = { ...options, rules }
  const parts = read.commands.map((command) => partOf(command, context))
  const isProduct = parts.some(({ role }) => role === 'product' || role === 'own code')
  const isAsked = isProduct && options.isAsked?.(line) === true
  const isWhole = isAsked || rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  const doubt = (isWhole ? undefined : mixtureDoubt(parts, context)) ?? placeDoubt(parts, context)
  const isFeeding = parts.some(isFed)
  const rewriter = isFeeding && !isAsked ? rewriterIn(parts) : undefined
  const foreign = rules.length > 0 && !isWhole ? parts.find(isForeign) : undefined
  const stranger = parts.find(({ otherScript }) => otherScript !== undefined)?.otherScript ?? foreign?.words[0]?.text
  const isLook = parts.every(({ role }) => role === 'silent' || role === 'look')
  const shown = parts.filter(({ role }) => role === 'look')
  return {
    isActivity: parts.some(isActive),
    isProduct,
    endsInProduct: isEndOfProduct(parts),
    showsAll: parts.every(({ redirects }) => redirects.every(({ text }) => /^[<>]& \d$|^< /.test(text))),
    given: parts.flatMap(givenBy),
    rows: parts.flatMap(rowsOf),
    templates: parts.flatMap(templatesOf),
    givenFiles: isFeeding ? parts.flatMap(filesOf) : [],
    words: parts.flatMap(wordsOf),
    written: parts.filter((part) => !isOutlet(part, parts)).flatMap(writtenBy),
    made: parts.filter((part) => isOutlet(part, parts)).flatMap(writtenBy),
    // An unknown program may write any file that it names.
    touched: parts.flatMap((part) => (isForeign(part) ? valuesOf(part.words.slice(1)) : [])),
    directoriesAfter,
    ...(doubt !== undefined && { doubt }),
    ...(rewriter !== undefined && { rewriter }),
    ...(stranger !== undefined && { stranger }),
    ...(isLook && shown.length > 0 && { lookedAt: shown.flatMap(namesIn) }),
  }
}

function unreadFacts(line: string, problem: string): LineFacts {
  return {
    isActivity: line.trim() !== '',
    isProduct: true,
    endsInProduct: false,
    showsAll: false,
    words: [line],
    doubt: `That line is not read word by word. ${problem}`,
    given: [line],
    rows: [],
    templates: [],
    givenFiles: [],
    written: [],
    made: [],
    touched: line.split(/[\s'"=<>]+/),
    directoriesAfter: [unknownDirectory],
  }
}

function partOf(command: LineCommand, context: Context): Part {
  const { rules, home } = context
  const known = roleOf(command)
  const [rule] = known === undefined ? rulesOf(command, rules, home) : []
  const role = known ?? (rules.length > 0 && rule === undefined ? 'other' : 'product')
  const script = role === 'product' && rules.length > 0 ? scriptOf(command) : undefined
  // If a rule or the spec names `app.mjs`, `old/app.mjs` is not the product. A differently named script may be.
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

/** Whether an interpreter gets code instead of a file. A module (`python -m pytest`) is not the agent's code. */
function runsOwnCode(args: readonly LineWord[]): boolean {
  const at = args.findIndex(({ value }) => value?.startsWith('-') !== true)
  const options = at === -1 ? args : args.slice(0, at)
  return (
    at === -1 ||
    options.some(({ value = '' }) => codeOption.test(value) && value !== '-m') ||
    args[at]?.value === 'eval'
  )
}

function scriptOf({ program, args }: LineCommand): string | undefined {
  if (!interpreter.test(basename(program?.value ?? ''))) return undefined
  return args.find(({ value }) => value?.startsWith('-') !== true && /[./]/.test(value ?? ''))?.value
}

/** Whether a rule or the spec names this file or folder, or the scenario started in it. */
function isMeant(path: string, { home, rules, isNamed }: Context): boolean {
  const name = relative(home, path)
  const inRules = rules.flatMap(({ words }) => words)
  return (
    realPathOf(path) === realPathOf(home) ||
    [path, name, `./${name}`].some((one) => inRules.includes(one)) ||
    isNamed(path)
  )
}

const alone = 'Run the product by itself, and quote what it prints.'

function mixtureDoubt(parts: readonly Part[], { rules }: Context): string | undefined {
  const own = parts.filter((part, index) => part.role !== 'product' && !isInput(part, parts[index + 1]))
  const other = own.find((part) => !isSilent(part))
  if (other !== undefined) {
    const name = other.program?.text ?? other.variables[0]?.text ?? ''
    const why = other.role === 'own code' ? 'ran code of your own, which is no product' : 'had a part in that output'
    return `\`${name}\` ${why}. ${alone}`
  }
  const names = new Set(parts.flatMap(({ role, product }) => (role === 'product' ? [product] : [])))
  if (names.size === 0) return `That line ran no product${rules.length === 0 ? '' : ' that a rule of `allow` names'}.`
  return names.size > 1 ? `Several programs printed that: ${[...names].join(', ')}. ${alone}` : undefined
}

/** Returns a doubt if the product runs in a folder, or on files, that neither the spec nor a rule names. */
function placeDoubt(parts: readonly Part[], context: Context): string | undefined {
  const { home } = context
  for (const part of parts) {
    const { otherScript, directories, args } = part
    if (otherScript !== undefined)
      return `\`${otherScript}\` is another file than the one that a rule or the spec names.`
    const script = scriptOf(part)
    for (const directory of part.role === 'product' ? directories : []) {
      if (directory === unknownDirectory) return `In which folder that ran is not known. Run the product in ${home}.`
      const isOwnPlace = script !== undefined && isInside(realPathOf(resolve(directory, script)), realPathOf(directory))
      if (!isOwnPlace && !isMeant(directory, context))
        return `That ran in ${directory}, which neither the spec nor a rule names. Run the product in ${home}.`
      const read = part.redirects.flatMap(({ operator, target }) => (operator === '<' && target ? [target] : []))
      const other = [...args, ...read].find((word, index) => {
        const [, option, behind = word.value] = /^(-[^=]*)=(.+)$/.exec(word.value ?? '') ?? []
        if (behind === undefined || word.value === script) return false
        const path = resolve(directory, behind)
        const isOption = option !== undefined || args[index - 1]?.value?.startsWith('--') === true
        return (
          !isMeant(path, context) &&
          (context.isOwn?.(path) === true ||
            isFolder(path) ||
            // A file in a folder that neither the spec nor a rule names.
            (isOption && statsOf(path)?.isFile() === true && !isMeant(dirname(path), context)))
        )
      })
      if (other !== undefined)
        return `\`${other.text}\` is neither the spec's nor the product's own. Run the product on its own data.`
    }
  }
  return undefined
}

function isEndOfProduct(parts: readonly Part[]): boolean {
  const last = parts.findLast(({ feeds }) => feeds === undefined)
  const isAll = parts.every(({ role, place }) => role === 'product' && (place === 'first' || place === 'later'))
  return last?.role === 'product' && last.words[0]?.value !== 'timeout' && (last.place === 'first' || isAll)
}

/** Whether the part writes only what the product printed. */
function isOutlet({ role, program }: Part, parts: readonly Part[]): boolean {
  const isPure =
    parts.some((part) => part.role === 'product') && parts.every((one) => one.role === 'product' || isSilent(one))
  return isPure && (role !== 'write' || program?.value === 'tee')
}

/** Whether the part prints nothing except words of the line. */
function isSilent({ role, words, variables }: Part): boolean {
  if (role !== 'silent' && role !== 'write') return false
  const options = words.flatMap(({ value = '' }) => (role === 'write' && value.startsWith('-') ? [value] : []))
  if (options.some((option) => option.includes('v'))) return false
  // Without `-f` or `-p` these commands print an error if they fail.
  if (/^(?:mkdir|rm|rmdir)$/.test(words[0]?.value ?? '') && !options.some((option) => /[fp]/.test(option))) return false
  const loops = variables.filter(({ text }) => text.startsWith('for '))
  const all = [...words, ...loops.flatMap((variable) => variable.words)]
  return all.every(({ value, isNumber }) => value !== undefined || isNumber === true)
}

/** Whether the part only pipes words of the line into the product. */
function isInput(part: Part, reader: Part | undefined): boolean {
  const isRead = part.feeds === 'pipe' && part.redirects.length === 0 && reader?.role === 'product'
  return isRead && part.role === 'print' && keeps(part)
}

function isForeign({ role }: Part): boolean {
  return role === 'own code' || role === 'other'
}

function isActive({ role, variables, redirects }: Part): boolean {
  if (role === 'print') return redirects.length > 0
  return role !== 'silent' || variables.some(({ text }) => !text.startsWith('for '))
}

/** Whether the part may pass words or files to a program or a variable. */
function isFed(part: Part): boolean {
  return part.variables.length > 0 || part.words[0]?.value === 'read' || part.role === 'product' || isForeign(part)
}

/** Whether words of the part reach another command or a file. Not if it looks at files or prints to the terminal. */
function isGiving({ role, feeds, redirects }: Part): boolean {
  return role !== 'silent' && role !== 'look' && (role !== 'print' || feeds !== undefined || redirects.length > 0)
}

function givenBy(part: Part): readonly string[] {
  const set = part.variables.flatMap(({ value, words }) => value ?? words.map((word) => word.value ?? word.text))
  const read = part.redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? (target?.text ?? []) : []))
  return [...set, ...read, ...argumentsOf(part)]
}

function wordsOf({ words, variables, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ target }) => target ?? [])
  return [...words, ...targets, ...variables].map(({ value, text }) => value ?? text)
}

function rowsOf(part: Part): readonly string[] {
  const texts = argumentsOf(part)
  return texts.length < 2 ? [] : [...texts.slice(1).map((_, index) => texts.slice(index).join(' ')), texts.join('')]
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
  const texts = own.map(({ value, text }) => value ?? text)
  return program.value === 'printf' ? texts.map((text) => text.replaceAll(String.raw`\n`, '\n')) : texts
}

/** A program between agent and product that may change lines; `undefined` if there is none. */
function rewriterIn(parts: readonly Part[]): string | undefined {
  const isSetting = parts.some(({ variables }) => variables.length > 0)
  const last = parts.findLastIndex(({ role, feeds }) => role === 'product' && feeds !== 'word')
  return parts.find((part, index) => {
    const reaches = part.feeds === 'word' ? isSetting || last !== -1 : part.feeds === 'pipe' && index < last
    return reaches && part.role !== 'product' && !keeps(part)
  })?.program?.text
}

function keeps({ role, program, args }: Part): boolean {
  // `echo -e` and `echo $option` may decode what they print.
  if (program?.value === 'echo') return args.every(({ value, text }) => !/\\|^-\w*e|^\$/.test(value ?? text))
  if (role === 'print') return /^(?:[^%\\]|%s\\n|\\n)*$/.test(args[0]?.value ?? '%')
  return role === 'silent' || keepers.test(program?.value ?? '')
}

function filesOf(part: Part): readonly string[] {
  const names = [...new Set(namesIn(part))].filter((name) => name !== scriptOf(part))
  return part.directories.flatMap((directory) => names.map((name) => resolve(directory, name)))
}

function namesIn({ args, redirects }: Part): readonly string[] {
  const read = redirects.flatMap(({ operator, target }) => (operator === '<' ? (target ?? []) : []))
  return valuesOf([...args, ...read]).filter((value) => !value.startsWith('-'))
}

function writtenBy({ role, program, args, redirects }: Part): readonly string[] {
  const targets = redirects.flatMap(({ operator, target }) => (operator.includes('>') ? (target?.value ?? []) : []))
  const isInPlace = program?.value === 'sed' && args.some(({ value = '' }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value))
  if (role !== 'write' && !(role === 'look' && isInPlace)) return targets
  const operands = valuesOf(args).filter((value) => !value.startsWith('-'))
  return [...targets, ...(/^(?:cp|mv)$/.test(program?.value ?? '') ? operands.slice(-1) : operands)]
}

function valuesOf(words: readonly LineWord[]): readonly string[] {
  return words.flatMap(({ value }) => value ?? [])
}
