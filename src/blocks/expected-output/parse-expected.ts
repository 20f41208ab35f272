import { unescapeLine } from './escape-line.ts'
import { type LineProblem, anyNoEol, withoutNoEol } from './output-lines.ts'
import { parseTemplate, type TemplatePart } from './parse-template.ts'
import { globSource, parseRegex, regexFlags } from './regex-source.ts'

export interface Expected {
  readonly patterns: readonly LinePattern[]
  /** Whether the last line has ` (no-eol)`: the output must end without a newline. */
  readonly isUnfinished: boolean
  readonly problems: readonly (LineProblem & { readonly line: number })[]
}

export function parseExpected(lines: readonly string[]): Expected {
  const patterns: LinePattern[] = []
  const problems: Expected['problems'][number][] = []
  let isUnfinished = false
  for (const [line, text] of lines.entries()) {
    const isLast = line === lines.length - 1
    const bare = isLast ? withoutNoEol(text) : text
    isUnfinished = bare !== text
    const parsed = parseLine(bare)
    const found = [...findMisplacedNoEol(bare), ...parsed.problems]
    patterns.push(parsed.pattern)
    problems.push(...found.map((problem) => ({ ...problem, line })))
  }
  return { patterns, problems, isUnfinished }
}

function findMisplacedNoEol(line: string): readonly LineProblem[] {
  const match = anyNoEol.exec(line)
  if (match === null) return []
  const wrong = match[1] === '' ? 'stands once, at the end of the last line' : `takes no \`${match[1]}\``
  const message = `\`(no-eol)\` ${wrong}. Write \`(equal)\` behind it where it is part of the output.`
  return [{ index: match.index + 1, message }]
}

type NameUse = Exclude<TemplatePart, { kind: 'text' }> & { readonly line: number }

/** Names that lines capture and recall, in order. Indexes of lines and characters start at 0. */
export function nameUses({ patterns }: Pick<Expected, 'patterns'>): readonly NameUse[] {
  return patterns.flatMap((pattern, line) => {
    const parts = pattern.kind === 'template' ? pattern.parts : []
    return parts.flatMap((part) => (part.kind === 'text' ? [] : [{ ...part, line }]))
  })
}

/** Where expected output is written: below its command, or in its own fence. */
export type OutputForm = 'transcript' | 'fence'

/** How many output lines match: `once` 1, `?` 0 or 1, `*` 0 or more, `+` 1 or more. */
export type Times = 'once' | '?' | '*' | '+'

export type LinePattern =
  | { readonly kind: 'any-lines' }
  | { readonly kind: 'text'; readonly text: string; readonly times: Times }
  | { readonly kind: 'regex'; readonly regex: RegExp; readonly times: Times }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }

interface ParsedLine {
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
