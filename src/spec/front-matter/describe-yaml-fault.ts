import type { YAMLError } from 'yaml'

import { cutLine } from '../../system/text/plain-text.ts'
import type { Place } from '../spec.ts'

/** A value can be as long as a file. */
const maxMessageCharacters = 600

/** What is wrong with a YAML text, and where in it, counted from 1. */
export interface YamlFault extends Place {
  /** What is wrong and what to do, as whole sentences. */
  readonly message: string
}

interface Source {
  readonly lines: readonly string[]
  /** Of the fault: the line and column that the parser gave. */
  readonly at: Place
}

/** Says in plain words what the parser of YAML stumbled over, at the line where the mistake is. */
export function describeYamlFault(yaml: string, fault: Pick<YAMLError, 'code' | 'message'>, at: Place): YamlFault {
  const source = { lines: yaml.split(/\r\n|\n/), at }
  return (
    describers[fault.code]?.(source, fault.message) ??
    say(at, `${fault.message.split('\n')[0]}. Correct it; put values with special characters in quotes.`)
  )
}

/** An alias, `*name`, that the parser resolves later; `undefined` where it is not the reason. */
export function describeAliasFault(yaml: string, message: string): YamlFault | undefined {
  const name = /^Unresolved alias .*: (.*)$/.exec(message)?.[1]
  if (name === undefined) return undefined
  const lines = yaml.split(/\r\n|\n/)
  const index = lines.findIndex((line) => line.includes(`*${name}`))
  return describeStart({ lines, at: { line: index + 1, column: (lines[index] ?? '').indexOf(`*${name}`) + 1 } })
}

/** Why a text is no mapping; `undefined` where there is nothing more to say. */
export function describeNoMapping(yaml: string): YamlFault | undefined {
  const lines = yaml.split(/\r\n|\n/)
  const index = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line))
  const at = { line: index + 1, column: 1 }
  const line = (lines[index] ?? '').trim()
  if (line.startsWith('-')) return say(at, 'A list stands where keys are expected. Remove the `-`.')
  return describeNoPair({ lines, at })
}

type Describe = (source: Source, message: string) => YamlFault | undefined

const describers: Partial<Record<YAMLError['code'], Describe>> = {
  TAB_AS_INDENT: ({ at }) =>
    say(at, 'The line is indented with a tab, and YAML allows only spaces. Replace the tab with two spaces.'),
  DUPLICATE_KEY: (source) => {
    const key = keyOf(lineAt(source))
    const before = source.lines.slice(0, source.at.line - 1).findLastIndex((line) => keyOf(line) === key)
    const where = before === -1 ? '' : `, first in the line that says \`${source.lines[before]?.trim()}\``
    return say(source.at, `The key \`${key}\` stands here twice${where}. Keep one of them.`)
  },
  BLOCK_AS_IMPLICIT_KEY: (source) => describeColon(source) ?? describeIndent(source),
  MULTILINE_IMPLICIT_KEY: (source) => describeNoPair(source),
  MISSING_CHAR: (source, message) => {
    if (/closing/.test(message)) return describeOpenQuote(source, message)
    if (/must end with/.test(message)) return describeOpenBracket(source)
    if (!/flow/i.test(message)) return describeNoPair(source)
    return say(
      source.at,
      `Between \`[\` and \`]\` a comma or the end of a quote is missing before ${quoteRest(source)}. Write \`'\` as \`''\` inside of \`'…'\`.`,
    )
  },
  BAD_INDENT: (source, message) => {
    if (/[Ff]low/.test(message)) return describeOpenBracket(source)
    const place = { ...source.at, column: indentOf(lineAt(source)) + 1 }
    return say(place, `${quoteLine(source)} begins in another column than what stands above it. ${sameColumn}`)
  },
  BAD_SCALAR_START: (source) => describeStart(source),
  BAD_ALIAS: (source) => describeStart(source),
  TAG_RESOLVE_FAILED: (source) => describeStart(source),
  BAD_DQ_ESCAPE: ({ at }) =>
    say(
      at,
      'Between double quotes a backslash begins an escape, and this is none. Take single quotes, or write `\\\\`.',
    ),
  MULTIPLE_DOCS: ({ at }) => say(at, 'Something stands after the line `...` or `---`, which ends it. Remove that.'),
  UNEXPECTED_TOKEN: (source) => describeTooMuch(source),
}

const sameColumn = 'Begin keys that belong together in the same column, with spaces.'

/** `title: a: b` */
function describeColon(source: Source): YamlFault | undefined {
  const line = lineAt(source)
  const value = line.slice(source.at.column - 1).trim()
  if (!/:(?: |$)/.test(value)) return undefined
  const way = /,\s*[\w-]+:/.test(value)
    ? 'Write each key in a line of its own'
    : `Put the value in quotes: \`${line.slice(0, source.at.column - 1).trim()} ${inQuotes(value)}\``
  return say(source.at, `The value \`${value}\` has a colon and a space in it, as if it were a key. ${way}.`)
}

/** A key below a key that has its value already. */
function describeIndent({ lines, at }: Source): YamlFault | undefined {
  const index = lines.findIndex((line, index) => index >= at.line && !/^\s*(?:#|$)/.test(line))
  const [line, parent] = [lines[index], lines[at.line - 1] ?? '']
  if (line === undefined) return undefined
  const above = keyOf(parent)
  const value = parent.slice(parent.indexOf(':') + 1).trim()
  const way =
    indentOf(parent) === 0
      ? `Remove the spaces before it.`
      : `Begin it in the same column as \`${above}\`, with spaces.`
  const place = { line: index + 1, column: indentOf(line) + 1 }
  return say(
    place,
    `\`${line.trim()}\` is indented under \`${above}\`, which already has the value \`${value}\`. ${way}`,
  )
}

/** The first line from here on that is no `key: value`. */
function describeNoPair({ lines, at }: Source): YamlFault | undefined {
  const index = lines.findIndex((line, index) => index >= at.line - 1 && !isPair(line))
  const line = lines[index]
  if (line === undefined) return undefined
  const place = { line: index + 1, column: indentOf(line) + 1 }
  const text = line.trim()
  const dash = /^-(\S.*)$/.exec(text)?.[1]
  if (dash !== undefined) return say(place, `After the \`-\` of \`${text}\` a space is missing. Write \`- ${dash}\`.`)
  const [, key, value] = /^([\w-]+)\s*(?::|=)\s*(.*)$/.exec(text) ?? /^([\w-]+)\s+(\S+)$/.exec(text) ?? []
  if (key === undefined) return say(place, `\`${text}\` is not a \`key: value\` line. Write one, or remove the line.`)
  const fault = text.startsWith(`${key}:`)
    ? `after the colon of \`${text}\` a space is missing`
    : `\`${text}\` has no colon`
  return say(place, `${fault[0]?.toUpperCase()}${fault.slice(1)}. Write \`${key}: ${value}\`.`)
}

function describeOpenQuote(source: Source, message: string): YamlFault | undefined {
  const quote = message.includes('"') ? '"' : "'"
  const opens = new RegExp(`(?:^|[\\s[{,:-])${quote}(?:(?!${quote}).)*$`)
  const index = source.lines.findIndex((line) => line.split(quote).length % 2 === 0 && opens.test(line))
  const line = source.lines[index]
  if (line === undefined) return undefined
  const place = { line: index + 1, column: line.lastIndexOf(quote) + 1 }
  return say(place, `The quote that opens here is not closed. Put \`${quote}\` after the end of the value.`)
}

function describeOpenBracket({ lines, at }: Source): YamlFault | undefined {
  const open: (Place & { readonly bracket: string })[] = []
  for (const [index, line] of lines.slice(0, at.line).entries()) {
    for (const [column, bracket] of Array.from(withoutQuoted(line)).entries()) {
      if (bracket === '[' || bracket === '{') open.push({ line: index + 1, column: column + 1, bracket })
      if (bracket === ']' || bracket === '}') open.pop()
    }
  }
  const last = open.at(-1)
  if (last === undefined) return undefined
  const close = last.bracket === '[' ? ']' : '}'
  return say(last, `The \`${last.bracket}\` that opens here is not closed. Put \`${close}\` after the last value.`)
}

/** A value that begins with a sign that means something in YAML. */
function describeStart(source: Source): YamlFault {
  const rest = lineAt(source).slice(source.at.column - 1)
  const value = (/[[{,]/.test(lineAt(source)) ? rest.split(/[,\]}]/)[0] : rest)?.trim() || rest[0] || ''
  return say(
    source.at,
    `A value that begins with \`${value[0]}\` means something else in YAML. Put it in quotes: \`${inQuotes(value)}\`.`,
  )
}

/** Something behind a value that is complete. */
function describeTooMuch(source: Source): YamlFault | undefined {
  const line = lineAt(source)
  const before = line.slice(0, source.at.column - 1)
  const rest = line.slice(source.at.column - 1).trim()
  if (before.trim() === '') {
    const above = source.lines.slice(0, source.at.line - 1).findLast((each) => !/^\s*(?:#|$)/.test(each)) ?? ''
    const fault =
      indentOf(above) > indentOf(line)
        ? `begins further to the left than the keys above it. ${sameColumn}`
        : `does not fit \`${above.trim()}\` above it: it can be a key or an item of a list. Keep one kind.`
    return say(source.at, `\`${rest}\` ${fault}`)
  }
  if (/^[\]}]/.test(rest)) return say(source.at, `This \`${rest[0]}\` closes nothing. Take it away.`)
  if (/[|>][-+]?\s*$/.test(before))
    return say(
      source.at,
      `Behind \`${before.trim().at(-1)}\` the text begins in the next line. Move \`${rest}\` there, indented.`,
    )
  return say(
    source.at,
    `${quoteRest(source)} stands behind a value that ends before it. Put all of the value in one pair of quotes.`,
  )
}

function say({ line, column }: Place, message: string): YamlFault {
  return { line, column, message: cutLine(message, maxMessageCharacters) }
}

function lineAt({ lines, at }: Source): string {
  return lines[at.line - 1] ?? ''
}

function quoteLine(source: Source): string {
  return `\`${lineAt(source).trim()}\``
}

function quoteRest(source: Source): string {
  return `\`${lineAt(source)
    .slice(source.at.column - 1)
    .trim()}\``
}

function inQuotes(value: string): string {
  return value.includes("'") ? `"${value.replace(/["\\]/g, '\\$&')}"` : `'${value}'`
}

function keyOf(line: string): string {
  return line.split(':')[0]?.trim() ?? ''
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function isPair(line: string): boolean {
  return /^\s*(?:#|$|- |-$|(?:[^\s:]|:(?! |$))[^:]*:(?: |\t|$))/.test(line)
}

/** Signs in quotes become others. */
function withoutQuoted(line: string): string {
  return line.replace(/"[^"]*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length)).replace(/\s#.*$/, '')
}
