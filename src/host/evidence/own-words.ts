import { basename } from 'node:path'
import type { SeenCall } from './is-product-activity.ts'
import { collapse, findPlace, quotableLines, type QuotableLines } from './quotable-lines.ts'
import { readShell, undoEscapes, type SimpleCommand } from '../../system/text/read-shell.ts'

/** Words of the agent in a call: its arguments, and what it writes into files. */
export interface OwnWords {
  /** Whether a quote is in the arguments of the call, and which program can have printed it. */
  holds(quote: string): Holding
  /** What the call writes into files in the agent's words. */
  readonly written: readonly string[]
  /** Whether no program of the call can be the product: its output comes from its arguments or from files. */
  readonly runsNoProduct: boolean
}

/**
 * `plainly`: only programs that print their arguments got the words. `perhaps`: a program that may be the product got
 * them. `asked`: the same, and the spec holds the command.
 */
export type Holding = 'no' | 'asked' | 'perhaps' | 'plainly'

/**
 * Words that the agent gave a call and wrote with it.
 *
 * @param written words that the call is known to write into files
 * @param asked text of the spec, as `withoutQuotes` gives it
 */
export function ownWordsOf({ kind, title, input }: SeenCall, written: readonly string[], asked = ''): OwnWords {
  if (kind === 'command') return wordsOfCommand(title.slice(0, maxCharacters), written, asked)
  const texts = once(() => (kind === 'browser' ? [] : stringsIn(input).flatMap(printableForms)))
  const holds = (quote: string): Holding => (texts().some((text) => containsQuote(text, quote)) ? 'perhaps' : 'no')
  return { written, runsNoProduct: kind === 'file', holds }
}

/** How much of a command is read, in UTF-16 code units. */
const maxCharacters = 64 * 1024

/** Made on demand: most calls are never quoted. */
function once(texts: () => readonly string[]): () => readonly QuotableLines[] {
  let made: readonly QuotableLines[] | undefined
  return () => (made ??= texts().map(quotableLines))
}

interface QuoteSource {
  readonly texts: () => readonly QuotableLines[]
  readonly runsNoProduct: boolean
  /** Whether it runs only where a program that may be the product said yes. */
  readonly isGuarded: boolean
  readonly isAsked: boolean
}

function wordsOfCommand(title: string, written: readonly string[], asked: string): OwnWords {
  const commands = readShell(title).map((command) => withValues(command, title))
  const speakers = commands.flatMap((command, index): readonly QuoteSource[] => {
    if (isSilent(command) || isFilter(commands, index)) return []
    const before = commands[index - 1]
    const isGuarded = command.joint === '&&' && before !== undefined && !runsNoProduct(before)
    const isAsked = command.words.length > 1 && asked.includes(withoutQuotes(command.words.join(' ')))
    return [{ texts: once(() => textsOf(command)), runsNoProduct: runsNoProduct(command), isGuarded, isAsked }]
  })
  const isNoProduct = commands.every(runsNoProduct)
  const echoed = commands.filter((command) => /^(?:echo|printf)$/.test(programOf(command))).map(argumentsOf)
  const together = once(() => ['', ' '].flatMap((glue) => printableForms(echoed.join(glue))))
  const isWriting = commands.some((command) => command.isRedirected || programOf(command) === 'tee')
  return {
    runsNoProduct: isNoProduct,
    written: [...written, ...(isWriting ? commands.filter(runsNoProduct).flatMap(textsOf) : [])],
    holds(quote) {
      const holding = speakers.filter(({ texts }) => texts().some((text) => containsQuote(text, quote)))
      if (holding.length === 0) return together().some((text) => containsQuote(text, quote)) ? 'plainly' : 'no'
      if (holding.every((each) => each.runsNoProduct && !each.isGuarded)) return 'plainly'
      return holding.some(({ isAsked }) => isAsked) ? 'asked' : 'perhaps'
    },
  }
}

function argumentsOf({ words }: SimpleCommand): string {
  return words
    .slice(1)
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
}

/** Words that a command is given, without the program's. */
export function argumentsIn(command: SimpleCommand): string {
  const { words, input } = command
  const at = words.findIndex((word) => basename(word) === programOf(command))
  // A script that an interpreter runs is a part of its name.
  const isScript = interpreters.test(programOf(command)) && codeIn(command) === undefined
  return [...words.slice(at + (isScript ? 2 : 1)), input].join(' ')
}

/** Text in which a command is found, however it is quoted. */
export function withoutQuotes(text: string): string {
  return collapse(text.replaceAll(/['"`\\]/g, ''))
}

/** In UTF-16 code units. Shorter quotes occur in many words by chance. */
const distinctLength = 8

/** Whether a text holds a quote, or each of its lines. */
export function containsQuote({ lines, flat }: QuotableLines, quote: string): boolean {
  const holds = (part: string): boolean =>
    flat.includes(part) && (part.length >= distinctLength || findPlace({ lines, flat }, part)?.isClean === true)
  return holds(collapse(quote)) || quotableLines(quote).lines.split('\n').every(holds)
}

function textsOf(command: SimpleCommand): readonly string[] {
  const text = [...command.words, command.input].join(' ').trim()
  return [...printableForms(text), ...printfOf(command)]
}

/** Forms in which a program may print a text that it is given: as it is, without escapes, put together, decoded. */
function printableForms(text: string): readonly string[] {
  const bare = undoEscapes(text)
  const forms = [text, bare, ...[text, bare].flatMap((each) => [glued(each, ''), glued(each, ' ')]), ...decoded(text)]
  return [...new Set(forms)]
}

/** `'1 [ ]' + ' milk'`, `"a" "b"` and `'a', 'b'` in code. */
function glued(text: string, glue: string): string {
  return text.replaceAll(/(['"`])\s*[+.,]?\s*['"`]/g, glue)
}

function decoded(text: string): readonly string[] {
  const base64 = [...text.matchAll(/[\w+/-]{8,}={0,2}/g)].map(([found]) => Buffer.from(found, 'base64'))
  const hex = [...text.matchAll(/(?:[\da-f]{2}[\s:]?){4,}/gi)].map(([found]) =>
    Buffer.from(found.replaceAll(/[\s:]/g, ''), 'hex'),
  )
  const codes = [...text.matchAll(/\d{2,3}(?:\s*,\s*\d{2,3}){3,}/g)].map(([found]) =>
    Buffer.from(found.split(',').map(Number)),
  )
  // eslint-disable-next-line no-control-regex
  return [...base64, ...hex, ...codes].map(String).filter((one) => one !== '' && !/[\0-\u0008\ufffd]/.test(one))
}

function printfOf(command: SimpleCommand): readonly string[] {
  const { words } = command
  const at = words.findIndex((word) => basename(word) === 'printf')
  const [format, ...values] = words.slice(at + 1)
  if (at === -1 || format === undefined) return []
  let used = 0
  let text = ''
  do {
    const from = used
    text += format.replaceAll(/%(?:%|[-+ #0-9.]*[a-zA-Z])/g, (each) => (each === '%%' ? '%' : (values[used++] ?? '')))
    if (used === from) break
  } while (used < values.length && text.length < maxCharacters)
  return [undoEscapes(text)]
}

/** Variables that the command line itself sets have their values. */
function withValues(command: SimpleCommand, title: string): SimpleCommand {
  const values = new Map(
    [...title.matchAll(/(?:^|[\s;&(])([A-Za-z_]\w*)=('[^']*'|"[^"]*"|[^\s;&|]*)/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^(['"])(.*)\1$/s, '$2'),
    ]),
  )
  const fill = (text: string): string =>
    text.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare: string, braced: string) => values.get(bare ?? braced) ?? all)
  return values.size === 0 ? command : { ...command, words: command.words.map(fill), input: fill(command.input) }
}

/** Whether it prints nothing. */
function isSilent(command: SimpleCommand): boolean {
  const program = programOf(command)
  if (['test', '[', '[['].includes(program)) return true
  return searchers.has(program) && command.words.some((word) => /^-[a-zA-Z]*q/.test(word))
}

/** Whether it searches the output of a program before it in the pipe: then it prints that program's words. */
function isFilter(commands: readonly SimpleCommand[], index: number): boolean {
  const command = commands[index]
  if (command?.joint !== '|' || !searchers.has(programOf(command))) return false
  if (command.words.some((word) => /^--(?:label|color|colour)|^-[a-zA-Z]*r|^--replace/.test(word))) return false
  const before = commands[index - 1]
  return before !== undefined && (!runsNoProduct(before) || isFilter(commands, index - 1))
}

const searchers: ReadonlySet<string> = new Set('grep egrep fgrep rg'.split(' '))

/** Programs that start another, with the words in front of it. */
const starters =
  /^(?:env|command|exec|time|timeout|nice|nohup|stdbuf|sudo|xargs|then|do|else|if|while|until|!|\{|\d+[smh]?)$/

/** Programs of every system that print their arguments, or what is in files. */
const tools: ReadonlySet<string> = new Set(
  `echo printf true false : sleep cd pwd cat head tail sed nl less more bat wc ls tee mkdir touch stat file test [ [[
  grep egrep fgrep rg awk gawk mawk jq yq cut tr rev tac sort uniq fold fmt column paste xxd od hexdump base64 base32
  basename dirname realpath readlink expr seq yes date printenv env export set declare local read find strings dd cp mv
  ln rm chmod for done fi esac case shuf comm diff xargs envsubst figlet tput logger openssl`.split(/\s+/),
)

const interpreters = /^(?:node|nodejs|deno|bun|python[\d.]*|perl|ruby|php|lua|bash|sh|zsh|dash)$/

/** Code that loads, reads or starts something: its output may come from there. */
const reaching =
  /\b(?:import|require|open|read\w*|exec\w*|spawn\w*|system|popen|subprocess|fetch|https?|urllib|socket|load|source|glob|qx)\b/i

/** Whether a command can be no product: what it prints comes from its arguments or from files. */
export function runsNoProduct(command: SimpleCommand): boolean {
  if (!command.words.flatMap(substitutedIn).flatMap(readShell).every(runsNoProduct)) return false
  const program = programOf(command)
  if (program === '' || tools.has(program)) return true
  if (!interpreters.test(program)) return false
  const code = codeIn(command)
  if (code === undefined) return false
  return program.endsWith('sh') ? readShell(code).every(runsNoProduct) : !reaching.test(code)
}

function substitutedIn(word: string): readonly string[] {
  return [...word.matchAll(/\$\(([\s\S]*)\)|`([^`]*)`/g)].map(
    ([, parentheses, backticks = '']) => parentheses ?? backticks,
  )
}

/** Code that an interpreter is given in place of a file. */
function codeIn(command: SimpleCommand): string | undefined {
  const { words, input } = command
  const given = words.slice(words.findIndex((word) => basename(word) === programOf(command)) + 1)
  for (const [index, word] of given.entries()) {
    if (/^(?:-[a-z]*[cepE]|--eval|--print|eval)$/.test(word)) return given[index + 1] ?? ''
    if (word.startsWith('--eval=') || word.startsWith('--print=')) return word
    if (word !== '-' && !/^-(?!r$)/.test(word)) return undefined
  }
  return input === '' ? undefined : input
}

function programOf({ words }: SimpleCommand): string {
  const program = words.find((word) => !/^[A-Za-z_]\w*=/.test(word) && !starters.test(word) && !word.startsWith('-'))
  return program === undefined ? '' : basename(program)
}

function stringsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return input === '' ? [] : [input]
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(stringsIn) : []
}
