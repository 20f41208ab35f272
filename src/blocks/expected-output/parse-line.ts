import { unescapeLine } from './escapes.ts'
import type { LineProblem } from './output-lines.ts'
import { parseTemplate, type TemplatePart } from './parse-template.ts'
import { globSource, parseRegex, regexFlags } from './regex-source.ts'

/** How many output lines match: `once` 1, `?` 0 or 1, `*` 0 or more, `+` 1 or more. */
export type Times = 'once' | '?' | '*' | '+'

export type LinePattern =
  | { readonly kind: 'any-lines' }
  | { readonly kind: 'text'; readonly text: string; readonly times: Times }
  | { readonly kind: 'regex'; readonly regex: RegExp; readonly times: Times }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }

export interface ParsedLine {
  readonly pattern: LinePattern
  readonly problems: readonly LineProblem[]
}

const marker = /^([^]*) \((?:(glob|re|esc|equal)([?*+])?|([?*+]))\)$/u

/** Parses a line of expected output without its ` (no-eol)`. A line with problems is taken literally. */
export function parseLine(line: string): ParsedLine {
  if (line === '...') return { pattern: { kind: 'any-lines' }, problems: [] }
  const match = marker.exec(line)
  if (match === null) return parsePlain(line)
  const [, text = '', kind = 'equal', ...quantifiers] = match
  const times = quantifiers.find((each) => each === '?' || each === '*' || each === '+') ?? 'once'
  return parseMarked(text, { kind, times })
}

function parsePlain(line: string): ParsedLine {
  const { parts, problems } = parseTemplate(line)
  const isPlain = problems.length > 0 || parts.every(({ kind }) => kind === 'text')
  const pattern: LinePattern = isPlain ? { kind: 'text', text: line, times: 'once' } : { kind: 'template', parts }
  return { pattern, problems }
}

function parseMarked(text: string, { kind, times }: { readonly kind: string; readonly times: Times }): ParsedLine {
  const literal = (value: string): LinePattern => ({ kind: 'text', text: value, times })
  const regex = (source: string): LinePattern => ({
    kind: 'regex',
    regex: new RegExp(`^${source}$`, regexFlags),
    times,
  })
  const bad = (message: string, index = 0): ParsedLine => ({ pattern: literal(text), problems: [{ index, message }] })
  if (kind === 'glob') return { pattern: regex(globSource(text)), problems: [] }
  if (kind === 'esc') {
    const decoded = unescapeLine(text)
    return decoded.ok ? { pattern: literal(decoded.text), problems: [] } : bad(decoded.message, decoded.index)
  }
  if (kind === 're') {
    const parsed = parseRegex(text)
    return parsed.ok ? { pattern: regex(parsed.source), problems: [] } : bad(parsed.message)
  }
  return { pattern: literal(text), problems: [] }
}
