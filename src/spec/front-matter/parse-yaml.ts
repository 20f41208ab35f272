import { top } from '../markdown/positions-and-placeholders.ts'
import { isMap, isNode, isScalar, isSeq, LineCounter, parse, parseDocument, type Document, type YAMLError } from 'yaml'
import { messageOf, orNothing } from '../../system/error-facts.ts'
import { cutLine } from '../../system/text/plain-text.ts'
import type { AcpAgent } from './front-matter.ts'
import { acpAgentSchema } from './servers-and-logins.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'

/** Front matter as YAML, without the user's own keys, which begin with `x-`. */
export interface RawFrontMatter {
  readonly values: ReadonlyMap<string, unknown>
  /** Place of a key or list item in the spec, or of the nearest parent that has a place. */
  placeOf(path: readonly PropertyKey[]): Place
}

export const noFrontMatter: RawFrontMatter = { values: new Map(), placeOf: () => top }

/** The YAML begins on line 2 of the spec. */
export function parseFrontMatter(yaml: string, report: Report): RawFrontMatter {
  const lines = new LineCounter()
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: line + 1, column: Math.max(col, 1) }
  }
  const reportFault = (place: Place, message: string): void =>
    report('front-matter-yaml', place, `The front matter is not valid YAML. ${cutLine(message, maxMessageCharacters)}`)
  try {
    const document = parseDocument(yaml, { version: '1.2', lineCounter: lines, prettyErrors: false })
    // Only the first fault is reported, because one mistake can cause faults in hundreds of later lines.
    const [fault] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
    if (fault !== undefined) {
      const place = placeAt(fault.pos[0])
      reportFault(place, describeFault(fault, place, yaml.split('\n')))
      return noFrontMatter
    }
    // Limit aliases: a few lines with aliases can expand to gigabytes.
    const plain: unknown = document.toJS({ maxAliasCount: 20 })
    const placeOf: RawFrontMatter['placeOf'] = (path) => keyPlace(document, path, placeAt)
    if (plain === null || plain === undefined) return { values: new Map(), placeOf }
    if (isMap(document.contents)) return { values: readValues(document, plain), placeOf }
    const message = 'The front matter must be `key: value` lines, with a blank behind the colon.'
    report('front-matter-not-a-mapping', placeAt(document.contents?.range?.[0] ?? 0), message)
  } catch (error: unknown) {
    const message = messageOf(error).replace(
      /^Excessive alias count.*/,
      'Its aliases (`*name`) repeat more than is allowed',
    )
    reportFault(top, `${message}. Write the values out; put values that begin with \`*\` in quotes.`)
  }
  return noFrontMatter
}

const maxMessageCharacters = 600

function describeFault({ code, message }: YAMLError, { line, column }: Place, lines: readonly string[]): string {
  const text = lines[line - 2] ?? ''
  if (code === 'TAB_AS_INDENT') return 'YAML allows no tab at the start of a line. Replace it with two spaces.'
  if (code === 'DUPLICATE_KEY') return `The key \`${text.split(':')[0]?.trim()}\` stands here twice. Keep one of them.`
  const value = text.slice(column - 1).trim()
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && /:(?: |$)/.test(value)) {
    const quoted = value.includes("'") ? `"${value.replace(/["\\]/g, '\\$&')}"` : `'${value}'`
    return `The value \`${value}\` has a colon and a space in it, as if it were a key. Put the value in quotes: \`${text.slice(0, column - 1).trim()} ${quoted}\`. Or write each key in a line of its own.`
  }
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'The line below this one is indented deeper. Write each key at the start of its line.'
  return `${message.split('\n')[0]}. Correct it; put values with special characters in quotes.`
}

function readValues(document: Document, plain: object): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(plain).filter(([key]) => !key.startsWith('x-')))
  if (values.has('env')) values.set('env', readVariables(document, values.get('env')))
  return values
}

/** Keeps numbers and booleans of `env` as written: `1.10` must not become `1.1`. */
function readVariables(document: Document, plain: unknown): unknown {
  const node = document.get('env', true)
  if (!isMap(node) || typeof plain !== 'object' || plain === null) return plain
  const written = node.items.flatMap(({ key, value }) =>
    isScalar(value) && (typeof value.value === 'number' || typeof value.value === 'boolean')
      ? [[String(key), value.source ?? String(value.value)] as const]
      : [],
  )
  return { ...plain, ...Object.fromEntries(written) }
}

function keyPlace(document: Document, path: readonly PropertyKey[], placeAt: (offset: number) => Place): Place {
  let place: Place = top
  let node: unknown = document.contents
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined
    const next: unknown = isSeq(node) ? node.items[Number(part)] : pair?.value
    const anchor: unknown = pair?.key ?? next
    if (isNode(anchor) && anchor.range) place = placeAt(anchor.range[0])
    node = next
  }
  return place
}

/** Reads text such as `{ acp: [my-agent, --acp] }`; `undefined` for any other text. */
export function parseAcpAgent(text: string): AcpAgent | undefined {
  return orNothing(() => acpAgentSchema.parse(parse(text)))
}
