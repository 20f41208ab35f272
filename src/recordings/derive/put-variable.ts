import { pathSource } from './path-source.ts'
import { shellSpans, type ShellSpan } from '../../system/text/shell-spans.ts'
import { quoteRegex } from '../../system/text/quoting.ts'

/**
 * A command of bash with a variable wherever a value stands as a word or as a part of one that has a border, whatever
 * quotes it stands in.
 *
 * @param expression name of the variable, or what may stand in its braces: `id:0:7`
 */
export function putVariable(command: string, value: string, expression: string): string {
  const spans = shellSpans(command)
  const isInDocument = spans.some(({ kind, text }) => kind === 'document' && patternOf(value, 'document').test(text))
  return putInto(isInDocument ? withOpenDocuments(spans) : spans, value, expression)
}

function putInto(spans: readonly ShellSpan[], value: string, expression: string): string {
  const all = spans.map(({ text }) => text).join('')
  let start = 0
  return spans
    .map(({ kind, text }) => {
      const end = start + text.length
      const pattern = patternOf(value, kind)
      pattern.lastIndex = start
      let out = ''
      let done = start
      for (const { 0: found, index } of all.matchAll(pattern)) {
        if (kind === 'document' || index + found.length > end) break
        out += `${all.slice(done, index)}${written(expression, kind)}`
        done = index + found.length
      }
      out += all.slice(done, end)
      start = end
      // Nothing stands before it in the quotes, or nothing at all beside it.
      if (kind === 'single' && out.startsWith(`''"`)) return out.slice(2).replace(/"''$/, '"')
      return kind === 'ansi' && out.startsWith(`$''"`) ? out.slice(3).replace(/"\$''$/, '"') : out
    })
    .join('')
}

function written(expression: string, kind: ShellSpan['kind']): string {
  if (kind === 'double' || kind === 'template') return `\${${expression}}`
  const word = /^\w+$/.test(expression) ? `"$${expression}"` : `"\${${expression}}"`
  if (kind === 'single') return `'${word}'`
  return kind === 'ansi' ? `'${word}$'` : word
}

function patternOf(value: string, kind: ShellSpan['kind']): RegExp {
  const form = inQuotes(value, kind)
  const source = value.startsWith('/') ? pathSource([form]) : `(?<![A-Za-z0-9])${quoteRegex(form)}(?![A-Za-z0-9])`
  return new RegExp(source, 'gu')
}

/** How a value may be written in a command. */
export function formsOf(value: string): readonly string[] {
  return (['comment', 'bare', 'single', 'double'] as const).map((kind) => inQuotes(value, kind))
}

/** How a value is written within quotes, or without. */
function inQuotes(value: string, kind: ShellSpan['kind']): string {
  if (kind === 'single') return value.replaceAll("'", String.raw`'\''`)
  if (kind === 'ansi') return value.replace(/['\\]/g, String.raw`\$&`)
  if (kind === 'double') return value.replace(/["$`\\]/g, String.raw`\$&`)
  if (kind === 'template') return value.replace(/[$`\\]/g, String.raw`\$&`)
  return kind === 'bare' ? value.replace(/[ !"#$&'()*;<=>?[\\\]^`{|}~]/g, String.raw`\$&`) : value
}

/** Here-documents in which variables count, and that say the same. */
function withOpenDocuments(spans: readonly ShellSpan[]): readonly ShellSpan[] {
  const quotedEnd = /(<<-?[ \t]*)(?:(["'])(\w+)\2|\\(\w+))/g
  const isOdd = spans.some(({ kind, text }) => kind === 'bare' && /<<-?[ \t]*["'\\]/.test(text.replace(quotedEnd, '')))
  if (isOdd) return spans
  return spans.map(({ kind, text }) => {
    if (kind === 'bare') return { kind, text: text.replace(quotedEnd, '$1$3$4') }
    return kind === 'document' ? { kind: 'template', text: inQuotes(text, 'template') } : { kind, text }
  })
}
