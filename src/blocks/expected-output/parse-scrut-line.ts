import { withoutNoEol } from './output-lines.ts'
import { type LinePattern, type ParsedLine, toTimes } from './parse-line.ts'
import { globSource, regexFlags, parseBareRegex, type RegexSource } from './regex-source.ts'
import { namedEscapes, unescapeBy, type Unescaped } from './escapes.ts'

const marker = /^([^]*)\s\((?:(equal|eq|escaped|esc|glob|gl|regex|re)([?*+])?|([?*+]))\)$/u
const escapedMark = / (?:\((?:escaped|esc)\)|\\\((?:escaped|esc)\\\))$/u

/** Reads one line of the expected output of a test case of scrut. A line with problems is taken literally. */
export function parseScrutLine(line: string): ParsedLine {
  // Unlike the other marks it makes all before it literal.
  const bare = withoutNoEol(line)
  if (bare !== line) return plain({ kind: 'text', text: bare, times: 'once' })
  const [, text = line, kind = 'equal', times, timesAlone] = marker.exec(line) ?? []
  const quantified = { text, times: toTimes(times ?? timesAlone) }
  if (kind.startsWith('g')) return parseGlob(quantified)
  if (kind.startsWith('r')) return parseRegular(quantified)
  return kind.startsWith('es') ? parseEscaped(quantified) : parseEqual(quantified)
}

type Quantified = Pick<Extract<LinePattern, { kind: 'text' }>, 'text' | 'times'>

function parseEqual({ text, times }: Quantified): ParsedLine {
  const isNeeded = times === 'once' || times === '+'
  return { ...plain({ kind: 'text', text, times }), ...(isNeeded && { needsNewline: true }) }
}

/** Its comparison leaves the newline out. */
function parseEscaped({ text, times }: Quantified): ParsedLine {
  const decoded = unescapeScrutLine(withoutNoEol(text))
  if (!decoded.ok) return literal({ text, times }, decoded)
  return plain({ kind: 'text', text: decoded.text, times })
}

function parseGlob({ text, times }: Quantified): ParsedLine {
  const bare = text.replace(escapedMark, '')
  const decoded = bare === text ? { ok: true as const, text } : unescapeScrutLine(bare)
  if (!decoded.ok) return literal({ text, times }, decoded)
  // Here a backslash is one.
  const source = globSource(decoded.text.replaceAll('\\', '\\\\'))
  return plain({ kind: 'regex', regex: new RegExp(`^${source}$`, regexFlags), times })
}

function parseRegular({ text, times }: Quantified): ParsedLine {
  const parsed = parseScrutRegex(text)
  if (!parsed.ok) return literal({ text, times }, { index: 0, message: parsed.message })
  return plain({ kind: 'regex', regex: new RegExp(`^${parsed.source}$`, regexFlags), times })
}

function plain(pattern: LinePattern): ParsedLine {
  return { pattern, problems: [] }
}

function literal(
  { text, times }: Quantified,
  { index, message }: { readonly index: number; readonly message: string },
): ParsedLine {
  return { pattern: { kind: 'text', text, times }, problems: [{ index, message }] }
}

const escape = /\\(?:x([0-9a-fA-F]{2})|0([0-7]{2})|([abefrtv\\])|([^]?))/gu

/** Decodes the escapes of scrut: some letters, `\xHH` and `\0NN` for a byte; any other backslash is one. */
function unescapeScrutLine(text: string): Unescaped {
  return unescapeBy(text, escape, ([whole, hex, octal, name, other]) => {
    if (hex !== undefined) return Buffer.of(parseInt(hex, 16))
    if (octal !== undefined) return Buffer.of(parseInt(octal, 8))
    if (name !== undefined) return Buffer.from(namedEscapes[name] ?? name)
    if (other === '') return 'A backslash at the end stands for nothing. Write it as `\\\\`.'
    if (other === 'x')
      return '`\\x` needs two hexadecimal digits behind it, as in `\\x1b`. Write a backslash as `\\\\`.'
    if (other === '0') return '`\\0` needs two octal digits behind it, as in `\\033`. Write a backslash as `\\\\`.'
    return Buffer.from(whole)
  })
}

/**
 * Checks a regular expression as scrut reads it: without grouping, so that in `a|b` the beginning of the line is bound
 * to `a` and its end to `b`, and with characters taken literally that could not mean anything else.
 */
function parseScrutRegex(text: string): RegexSource {
  return parseBareRegex(escapeBrackets(escapeBraces(dropEscapes(text))))
}

/** A backslash before what is no letter and has no meaning: there are no back references. */
function dropEscapes(text: string): string {
  return text.replace(/\\([^])/gu, (token, character: string) =>
    /[[\]{}()|?*+\-.^$\\a-z]/i.test(character) ? token : character,
  )
}

/** All braces but those of `{n}` and `{n,m}`. */
function escapeBraces(text: string): string {
  return text.replace(/\\[^]|\{\d+(?:,\d+)?\}|[{}]/gu, (token) => (token.length === 1 ? `\\${token}` : token))
}

/** A class ends at the last `]` before the next `[`; all others are characters. */
function escapeBrackets(text: string): string {
  let isInClass = false
  return text.replace(/\\[^]|[[\]]/gu, (token, offset: number) => {
    if (token.length > 1) return token
    const wasInClass = isInClass
    if (token === '[') isInClass = true
    else if (isInClass) isInClass = isBracketAhead(text, offset + 1)
    const isClassEdge = wasInClass !== isInClass
    return isClassEdge ? token : `\\${token}`
  })
}

/** Whether a `]` comes before the next `[`. */
function isBracketAhead(text: string, from: number): boolean {
  const ahead = /(?:\\[^]|[^[\]\\])*\]/uy
  ahead.lastIndex = from
  return ahead.test(text)
}
