import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

/** A part of a command with one kind of quotes. `document`: a here-document in which `$x` is plain text. */
interface Span {
  readonly kind: 'bare' | 'single' | 'ansi' | 'double' | 'document'
  readonly text: string
}

/** Replaces a value by a variable, in any quotes. `expression`: the text in `${…}`, such as `id` or `id:0:7`. */
export function putVariable(command: string, value: string, expression: string): string {
  if (!formsOf(value).some((form) => command.includes(form))) return command
  let start = 0
  return spansOf(command)
    .map(({ kind, text }) => {
      const end = start + text.length
      const pattern = patternOf(value, kind)
      pattern.lastIndex = start
      let out = ''
      let done = start
      for (const { 0: found, index } of command.matchAll(pattern)) {
        if (kind === 'document' || index + found.length > end) break
        out += `${command.slice(done, index)}${written(expression, kind)}`
        done = index + found.length
      }
      out += command.slice(done, end)
      start = end
      // A quoted value that becomes a variable leaves empty quotes beside it. Remove them.
      if (kind === 'single' && out.startsWith(`''"`)) return out.slice(2).replace(/"''$/, '"')
      return kind === 'ansi' && out.startsWith(`$''"`) ? out.slice(3).replace(/"\$''$/, '"') : out
    })
    .join('')
}

const quoting: Partial<Record<SyntaxNode['type'], Span['kind']>> = {
  SingleQuoted: 'single',
  AnsiCQuoted: 'ansi',
  DoubleQuoted: 'double',
  CommandExpansion: 'bare',
}

type Quotes = Pick<Span, 'kind'>

function spansOf(command: string): readonly Span[] {
  const quotes = quotesOf(command)
  const starts = quotes.flatMap((each, index) => (index === 0 || each !== quotes[index - 1] ? [index] : []))
  return starts.map((start, index) => {
    return { kind: quotes[start]?.kind ?? 'bare', text: command.slice(start, starts[index + 1]) }
  })
}

function quotesOf(command: string): readonly Quotes[] {
  const bare: Quotes = { kind: 'bare' }
  const found = Array.from({ length: command.length }, () => bare)
  const visit = (node: SyntaxNode): void => {
    const kind = quoting[node.type]
    if (kind !== undefined) found.fill({ kind }, node.pos, node.end)
    if (node.type === 'HereDoc') {
      const { delimiter, body } = node
      found.fill({ kind: delimiter?.quoted === true ? 'document' : 'double' }, body.pos, body.end)
    }
    // Skip backquotes with backslashes: the parser gives wrong positions in them.
    if (node.type !== 'Script' || !('source' in node)) forEachChild(node, visit)
  }
  forEachChild(parse(command), visit)
  return found
}

function written(expression: string, kind: Span['kind']): string {
  if (kind === 'double') return `\${${expression}}`
  const word = /^\w+$/.test(expression) ? `"$${expression}"` : `"\${${expression}}"`
  if (kind === 'single') return `'${word}'`
  return kind === 'ansi' ? `'${word}$'` : word
}

function patternOf(value: string, kind: Span['kind']): RegExp {
  const form = inQuotes(value, kind)
  const source = value.startsWith('/') ? pathSource([form]) : `(?<![A-Za-z0-9])${quoteRegex(form)}(?![A-Za-z0-9])`
  return new RegExp(source, 'gu')
}

export function formsOf(value: string): readonly string[] {
  const kinds = ['document', 'bare', 'single', 'double', 'ansi'] as const
  return [...new Set(kinds.map((kind) => inQuotes(value, kind)))]
}

function inQuotes(value: string, kind: Span['kind']): string {
  if (kind === 'document') return value
  if (kind === 'single') return value.replaceAll("'", String.raw`'\''`)
  if (kind === 'ansi') return value.replace(/['\\]/g, String.raw`\$&`)
  if (kind === 'double') return value.replace(/["$`\\]/g, String.raw`\$&`)
  return value.replace(/[ !"#$&'()*;<=>?[\\\]^`{|}~]/g, String.raw`\$&`)
}

/** Text before `/app` that shows that no path begins there, as in `src/app`, `"$HOME"/app`, `@/app` and `</app>`. */
const before = String.raw`[\p{L}\p{N}_.~@}*?)\]\/%+$-]|\$\w+["']|[})]["']|<(?=\/[\w-]+>)`

/** Text before `/app` after which a path does begin, as in `-I/app`, `-d @/app` and `file:///app`. */
const open = String.raw`(?<![^\s])-\p{L}|[\s=]@|\bfile:\/\/|\\[nrt]|\\x1b\[[\d;]*m`

/** Text after `/app` that continues the name, as in `/app-old` and `/app.json`. */
const inName = String.raw`[\p{L}\p{N}_~@%+-]|\.[\p{L}\p{N}_]|\\ `

/** Text after `/app` that makes it another path, as in `/app*` and `/app$1`. */
const pattern = String.raw`[*?{$]|\.\*`

/** A pattern of `sed` or `awk`, which only looks like a path: `'/app/d'`, `'/app/ {`. */
const address = String.raw`(?<=')\/\w+\/(?:[dpq]?'|,\/| *[{!])`

/** Source of a regular expression (flag `u`). For `/app`, it matches in `/app/x`, but not in `/app-old`. */
export function pathSource(forms: readonly string[]): string {
  return `${startSource(forms)}(?!${inName}|${pattern})`
}

export function holdsPath(text: string, forms: readonly string[]): boolean {
  return new RegExp(`${startSource(forms)}(?!${inName})`, 'u').test(text)
}

function startSource(forms: readonly string[]): string {
  const either = [...new Set(forms)].map(quoteRegex).join('|')
  return `(?:(?<=${open})|(?<!${before}))(?!${address})(?:${either})`
}
