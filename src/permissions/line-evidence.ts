import { dirname, resolve } from 'node:path'
import { isInside, statsOf } from '../system/files/paths.ts'
import { realPathOf } from '../system/files/trusted-folder.ts'
import { handedOn, inputsOf, keeps, inputNames, pathsOf, valuesOf, writtenBy } from './words-given-on.ts'
import type { HandedOn } from './words-given-on.ts'
import { isMeant, partOf, scriptOf, type Context, type FactsOptions, type Part } from './command-facts.ts'
import type { Known } from './resolve-words.ts'
import { isFolder, readLine } from './read-command-line.ts'
import { readRules } from './allow-rules.ts'
import { unknownDirectory } from './shell-variables.ts'

export interface LineFacts extends HandedOn {
  /** Whether the command line did more than print its own words, wait, or change the directory. */
  readonly isActivity: boolean
  readonly isProduct: boolean
  /** Why the output is no evidence, and what to do instead. Absent if only the product printed. */
  readonly doubt?: string
  readonly lookedAt?: readonly string[]
  readonly written: readonly string[]
  /** Files that only the product wrote. */
  readonly made: readonly string[]
  readonly touched: readonly string[]
  readonly stranger?: string
  /** Whether the exit code of the command line is certainly the product's. */
  readonly endsInProduct: boolean
  readonly showsAll: boolean
  readonly directoriesAfter: readonly string[]
  readonly variablesAfter: ReadonlyMap<string, Known>
}

/** What a command line did, and whether its output is evidence. Never throws: an unreadable line is no evidence. */
export function lineFacts(line: string, options: FactsOptions): LineFacts {
  const read = readLine(line, options)
  if (!read.ok) return { ...unreadFacts(line, read.problem), variablesAfter: options.variables ?? new Map() }
  const { directoriesAfter, variablesAfter } = read
  const rules = readRules(options.allow).filter(({ isForAll }) => !isForAll)
  const context = { ...options, rules }
  const parts = read.commands.map((command) => partOf(command, context))
  const isProduct = parts.some(({ role }) => role === 'product' || role === 'own code')
  const isAsked = isProduct && options.isAsked?.(line) === true
  const isWhole = isAsked || rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  const doubt = (isWhole ? undefined : mixtureDoubt(parts, context)) ?? placeDoubt(parts, context)
  const foreign = rules.length > 0 && !isWhole ? parts.find(isForeign) : undefined
  const stranger = parts.find(({ otherScript }) => otherScript !== undefined)?.otherScript ?? foreign?.words[0]?.text
  const isLook = parts.every(({ role }) => role === 'silent' || role === 'look')
  const shown = parts.filter(({ role }) => role === 'look')
  return {
    ...handedOn(parts, isAsked),
    isActivity: parts.some(isActive),
    isProduct,
    endsInProduct: isEndOfProduct(parts),
    showsAll: parts.every(({ redirects }) => redirects.every(({ text }) => /^[<>]& \d$|^< /.test(text))),
    written: parts.filter((part) => !isOutlet(part, parts)).flatMap(writtenBy),
    made: parts.filter((part) => isOutlet(part, parts)).flatMap(writtenBy),
    // An unknown program may write each file among its arguments.
    touched: parts.flatMap((part) => (isForeign(part) ? valuesOf(part.words.slice(1)) : [])),
    directoriesAfter,
    variablesAfter,
    ...(doubt !== undefined && { doubt }),
    ...(stranger !== undefined && { stranger }),
    ...(isLook && shown.length > 0 && { lookedAt: shown.flatMap(inputNames) }),
  }
}

function unreadFacts(line: string, problem: string): Omit<LineFacts, 'variablesAfter'> {
  return {
    ...{ isActivity: line.trim() !== '', isProduct: true, endsInProduct: false, showsAll: false },
    words: [line],
    doubt: `That line is not read word by word. ${problem}`,
    ...{ given: [line], rows: [], templates: [], givenFiles: [], written: [], made: [] },
    touched: line.split(/[\s'"=<>]+/),
    directoriesAfter: [unknownDirectory],
  }
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

function placeDoubt(parts: readonly Part[], context: Context): string | undefined {
  const { home } = context
  for (const part of parts) {
    const { otherScript, directories } = part
    if (otherScript !== undefined)
      return `\`${otherScript}\` is another file than the one that a rule or the spec names.`
    const script = scriptOf(part)
    for (const directory of part.role === 'product' ? directories : []) {
      if (directory === unknownDirectory) return `In which folder that ran is not known. Run the product in ${home}.`
      const isOwnPlace = script !== undefined && isInside(realPathOf(resolve(directory, script)), realPathOf(directory))
      if (!isOwnPlace && !isMeant(directory, context))
        return `That ran in ${directory}, which neither the spec nor a rule names. Run the product in ${home}.`
      const words = inputsOf(part)
      const other = words.find((word, index) => {
        if (script !== undefined && word.value === script) return false
        const isOption = /^-[^=]*=/.test(word.value ?? '') || words[index - 1]?.value?.startsWith('--') === true
        const paths = pathsOf(word, directory).filter((path) => !isMeant(path, context))
        // A file such as `--config=dir/file` is allowed if the spec or a rule names `dir`.
        const isOdd = (path: string): boolean =>
          isOption && statsOf(path)?.isFile() === true && !isMeant(dirname(path), context)
        return paths.some((path) => context.isOwn?.(path) === true || isFolder(path) || isOdd(path))
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

/** Whether the command writes only output of the product into its file. */
function isOutlet({ role, program }: Part, parts: readonly Part[]): boolean {
  const isPure =
    parts.some((part) => part.role === 'product') && parts.every((one) => one.role === 'product' || isSilent(one))
  return isPure && (role !== 'write' || program?.value === 'tee')
}

/** Whether the command prints nothing, or only words of the command line. */
function isSilent({ role, words, variables }: Part): boolean {
  if (role !== 'silent' && role !== 'write') return false
  const options = words.flatMap(({ value = '' }) => (role === 'write' && value.startsWith('-') ? [value] : []))
  if (options.some((option) => option.includes('v'))) return false
  // `mkdir` without `-p` and `rm` without `-f` can print an error.
  if (/^(?:mkdir|rm|rmdir)$/.test(words[0]?.value ?? '') && !options.some((option) => /[fp]/.test(option))) return false
  const loops = variables.filter(({ text }) => text.startsWith('for '))
  const all = [...words, ...loops.flatMap((variable) => variable.words)]
  return all.every(({ value, isNumber }) => value !== undefined || isNumber === true)
}

/** Whether the command only pipes words of the command line into the product. */
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
