import { unescapeScrutLine } from './unescape-scrut-line.ts'
import { withoutNoEol } from './no-eol.ts'
import { type LinePattern, type ParsedLine, toTimes } from './parse-line.ts'
import { globSource, regexFlags } from './regex-source.ts'
import { parseScrutRegex } from './scrut-regex.ts'

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
