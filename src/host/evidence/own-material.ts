import { basename } from 'node:path'
import { readShell, type SimpleCommand } from '../../system/text/read-shell.ts'
import { argumentsIn, runsNoProduct, withoutQuotes } from './own-words.ts'

/** Whether a command may have made a quote out of words of the agent, in another form. */
export type MayHaveMade = (quote: string) => boolean

/** Words in a variable of the shell. */
interface Value {
  readonly text: string
  /** Whether they may come out in another form than they stand there. */
  readonly isReshaped: boolean
}

/** In UTF-16 code units. */
const maxCharacters = 64 * 1024

/**
 * What an agent has brought into its lasting shell and into files: words that commands can cut, turn round and translate
 * into whatever is to be quoted. Where a line has such a command, a quote that could be made of its words proves nothing.
 */
export class OwnMaterial {
  readonly #variables = new Map<string, Value>()
  /** Base names. */
  readonly #files = new Set<string>()

  /** The agent wrote a file. */
  addFile(file: string): void {
    this.#files.add(basename(file))
  }

  /**
   * Takes in a command line that was executed.
   *
   * @param asked text of the spec: words of commands that it asks for are not the agent's
   */
  addLine(line: string, asked: string): MayHaveMade {
    const commands = allCommands(line.slice(0, maxCharacters))
    for (const command of commands) this.#remember(command)
    const values = this.#valuesIn(line)
    const shapers = commands.flatMap((command) => shaperOf(command) ?? [])
    const isRemade = values.some(({ isReshaped }) => isReshaped) || shapers.some(({ isRemaking }) => isRemaking)
    if (!isRemade && shapers.length === 0) return () => false
    if (this.#readsOwnFile(commands)) return () => true
    const sources = commands.filter((command) => shaperOf(command) === undefined && !isAsked(command, asked))
    const own = [...sources.map(argumentsIn), ...values.map(({ text }) => text)].join('')
    const remaking = shapers.flatMap(({ isRemaking, text }) => (isRemaking ? [text] : [])).join('')
    return (quote) => (isRemade && isEnoughFor(own + remaking, quote)) || isMadeOf(own, quote)
  }

  #remember(command: SimpleCommand): void {
    const [first, name] = command.words
    const isLoop = first === 'for' && name !== undefined
    const all = isLoop ? [[name, command.words.slice(3).join('')] as const] : command.words.flatMap(assignmentIn) // a pair
    for (const [variable, text] of all) {
      const inner = substitutionsIn(text).flatMap(allCommands)
      const isOfProduct = inner.some((each) => !runsNoProduct(each)) && !inner.some(shaperOf)
      if (isOfProduct) this.#variables.delete(variable)
      else
        this.#variables.set(variable, { text, isReshaped: inner.some((each) => shaperOf(each)?.isRemaking === true) })
    }
  }

  #valuesIn(line: string): readonly Value[] {
    const names = new Set([...line.matchAll(/\$\{?[!#]?([A-Za-z_]\w*)/g)].map(([, name = '']) => name))
    return [...names].flatMap((name) => this.#variables.get(name) ?? [])
  }

  #readsOwnFile(commands: readonly SimpleCommand[]): boolean {
    if (this.#files.size === 0) return false
    return commands.some(
      (command) => runsNoProduct(command) && command.words.some((word) => this.#files.has(basename(word))),
    )
  }
}

/** The commands of a line, and of what stands in `$(…)` in its words. */
function allCommands(line: string): readonly SimpleCommand[] {
  return readShell(line).flatMap((command) => [
    command,
    ...command.words
      .flatMap(substitutionsIn)
      .flatMap((inner) => (inner.length < line.length ? allCommands(inner) : [])),
  ])
}

function substitutionsIn(word: string): readonly string[] {
  return [...word.matchAll(/\$\(([\s\S]*)\)|`([^`]*)`/g)].map(([, inner, ticks = '']) => inner ?? ticks)
}

function assignmentIn(word: string): readonly (readonly [string, string])[] {
  const [, name, text = ''] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(word) ?? []
  return name === undefined ? [] : [[name, text]]
}

function isAsked({ words }: SimpleCommand, asked: string): boolean {
  return words.length > 1 && asked.includes(withoutQuotes(words.join(' ')))
}

/** A command that prints a text in another form. */
interface Shaper {
  /** Whether it also puts other characters there, and does not only leave some out. */
  readonly isRemaking: boolean
  /** What it may put there. */
  readonly text: string
}

function shaperOf(command: SimpleCommand): Shaper | undefined {
  const { words } = command
  const at = words.findIndex((word) => shapers.test(basename(word)))
  const text = words.slice(at + 1).join('')
  if (at === -1) {
    // The shell itself cuts and replaces in values, and multiplies words.
    const shaped = words.filter((word) => /\$\{!?\w+[^\w}]|\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}/.test(word))
    const isSpoken = /^(?:echo|printf|for|export|declare)$|=/.test(words[0] ?? '')
    const joined = /^(?:echo|printf)$/.test(words[0] ?? '') ? words.filter(joinsWords) : []
    if (joined.length > 0) return { isRemaking: true, text: words.slice(1).join('') }
    return shaped.length > 0 && isSpoken ? { isRemaking: true, text: shaped.join('') } : undefined
  }
  const program = basename(words[at] ?? '')
  if (program === 'seq' && !isRemaking(program, words)) return undefined
  // These are given names of files alone.
  const takesWords = !/^(?:rev|base\w+|xxd|iconv)$/.test(program)
  return { isRemaking: isRemaking(program, words.slice(at + 1)), text: takesWords ? text : '' }
}

/** Whether a word has in it what a command printed that is no product. */
function joinsWords(word: string): boolean {
  const inner = substitutionsIn(word).flatMap(allCommands)
  return inner.length > 0 && inner.every(runsNoProduct)
}

const shapers =
  /^(?:tr|sed|rev|cut|fold|base(?:64|32|nc)|basenc|xxd|od|paste|[gmn]?awk|jq|yq|perl|seq|head|tail|dd|iconv|numfmt|expr|shuf)$/

function isRemaking(program: string, args: readonly string[]): boolean {
  switch (program) {
    case 'tr':
      return !args.some((word) => /^-\w*d|^--delete/.test(word))
    // With nothing between the second and the third sign it leaves out.
    case 'sed':
      return args.some((word) => /s([/|#,:@!_])(?:\\.|(?!\1).)*\1(?!\1)|y[/|#,]/.test(word))
    case 'seq':
      return args.some((word) => /^-\w*[fs]|^--(?:format|separator)/.test(word))
    case 'jq':
    case 'yq':
    case 'awk':
    case 'gawk':
    case 'mawk':
      return args.some((word) => /"|^-\w*n|implode|@base64d|printf|sprintf/.test(word))
    case 'cut':
      return args.some((word) => word.startsWith('--output-delimiter'))
    case 'head':
    case 'tail':
    case 'od':
    case 'dd':
    case 'shuf':
    case 'fold':
      return false
    default:
      return true
  }
}

/** Whether there are enough characters for a quote to be made of them, whatever is done with them. */
function isEnoughFor(own: string, quote: string): boolean {
  return bare(own).length >= bare(quote).length
}

/** Whether a quote has no character that is not among these, counted. */
function isMadeOf(own: string, quote: string): boolean {
  const counts = new Map<string, number>()
  for (const one of bare(own)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...bare(quote)].every((one) => {
    const left = counts.get(one) ?? 0
    counts.set(one, left - 1)
    return left > 0
  })
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
