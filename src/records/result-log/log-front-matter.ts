import { CST, Lexer, isMap, isScalar, parseDocument, visit, type Document, type Pair, type YAMLMap } from 'yaml'
import { messageOf } from '../../system/error-facts.ts'
import { cutLine } from '../../system/text/plain-text.ts'
import { maxFrontMatterBytes, type LogProblem } from './result-log.ts'

const expectation =
  'Expected the file to start with a line `---`, then `status: pass` or `status: fail`, then a line `---`.'

export function splitFrontMatter(text: string): { readonly ok: true; yaml: string; body: string } | LogProblem {
  const opening = /^---\r?\n/.exec(text)
  if (opening === null) return problem('LOG_NO_FRONT_MATTER', `${describeStart(text)} ${expectation}`)
  // Begin with the line end of the first `---`, so that an empty front matter is found, too.
  const rest = text.slice(opening[0].length - 1)
  const closing = /\n---\r?(?:\n|$)/.exec(rest)
  if (closing === null)
    return problem('LOG_NO_FRONT_MATTER', `Its front matter is opened by \`---\` and never closed. ${expectation}`)
  const yaml = rest.slice(1, Math.max(1, closing.index)).replace(/\r$/, '')
  const bytes = Buffer.byteLength(yaml)
  if (bytes > maxFrontMatterBytes) {
    const message = `The front matter has ${bytes} bytes, more than ${maxFrontMatterBytes}. Move the narrative below it.`
    return problem('LOG_TOO_LARGE', message)
  }
  return { ok: true, yaml, body: rest.slice(closing.index + closing[0].length) }
}

function describeStart(text: string): string {
  if (text === '') return 'The file is empty.'
  if (text.startsWith('\uFEFF')) return 'The file starts with a byte order mark; `---` must be its first bytes.'
  const firstLine = text.split('\n', 1)[0] ?? ''
  return `The first line is ${describeValue(firstLine.replace(/\r$/, ''))}, not \`---\`.`
}

export function problem(code: LogProblem['code'], message: string): LogProblem {
  return { ok: false, code, message }
}

/** Parses YAML 1.2. Refuses aliases, deep nesting, duplicate keys and keys that are not plain. Never throws. */
export function parseFrontMatter(yaml: string): { readonly ok: true; readonly value: unknown } | LogProblem {
  try {
    const refused = findRefusedToken(yaml)
    if (refused !== undefined) return invalidYaml(refused)
    // `uniqueKeys` of the parser takes quadratic time. `findBadKey` looks at each key once.
    const document = parseDocument(yaml, { version: '1.2', schema: 'core', uniqueKeys: false, logLevel: 'silent' })
    const found = findProblem(document)
    return found === undefined ? { ok: true, value: document.toJS({ maxAliasCount: 0 }) } : invalidYaml(found)
  } catch (error: unknown) {
    return invalidYaml(messageOf(error))
  }
}

function invalidYaml(found: string): LogProblem {
  const why = (found.split('\n', 1)[0] ?? '').trim().replace(/[.:]$/, '')
  return problem('LOG_INVALID_YAML', `The front matter is not YAML 1.2 without aliases and compound keys: ${why}.`)
}

const maxDepth = 64

/** Refuses deep nesting and `?` keys, which can exhaust the parser, and `...`, where the parser stops reading. */
function findRefusedToken(yaml: string): string | undefined {
  let depth = 0
  let indicatorsInLine = 0
  let isScalarText = false
  for (const token of new Lexer().lex(yaml)) {
    const type = isScalarText ? 'scalar' : CST.tokenType(token)
    isScalarText = token === CST.SCALAR
    if (type === 'explicit-key-ind') return 'a key with `?` is not accepted here'
    if (type === 'doc-start' || type === 'doc-end') return 'it holds more than one document'
    if (type === 'newline') indicatorsInLine = 0
    if (type === 'seq-item-ind' || type === 'map-value-ind') indicatorsInLine += depth === 0 ? 1 : 0
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth += 1
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth = Math.max(0, depth - 1)
    if (depth > maxDepth || indicatorsInLine > maxDepth) return `it is nested more than ${maxDepth} deep`
  }
  return undefined
}

/** Returns the first problem. Also turns numbers into texts where a key expects text. */
function findProblem(document: Document.Parsed): string | undefined {
  const [error] = [...document.errors, ...document.warnings]
  if (error !== undefined) return error.message
  if (!isMap(document.contents)) {
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    // For an empty document, a later check reports that the status is missing.
    return value == null ? undefined : `expected \`key: value\` lines, got ${describeValue(value)}`
  }
  let found: string | undefined
  visit(document, {
    Alias: (_, alias) => {
      found = `the alias \`*${alias.source}\` is not accepted here`
      return visit.BREAK
    },
    Map: (_, map) => {
      found = findBadKey(map)
      return found === undefined ? undefined : visit.BREAK
    },
    Pair: (_, pair) => keepTextAsWritten(pair),
  })
  return found
}

function findBadKey(map: YAMLMap): string | undefined {
  const seen = new Set<string>()
  for (const { key } of map.items) {
    if (!isScalar(key)) return 'a key is not a plain word'
    const name = String(key.value)
    if (seen.has(name)) return `the key ${describeValue(name)} occurs twice`
    seen.add(name)
  }
  return undefined
}

const textKeys: ReadonlySet<unknown> = new Set(['run', 'id', 'observed', 'quote'])

/** YAML reads some texts as numbers, such as `observed: 1` or the run id `12e4567`. Restores the text as written. */
function keepTextAsWritten({ key, value }: Pair): void {
  if (!isScalar(key) || !textKeys.has(key.value)) return
  if (isScalar(value) && typeof value.value !== 'string' && value.source !== undefined) value.value = value.source
}

const maxExcerptLength = 60

/** Formats a value for a message: `` `"passed"` (string) ``. Long values are cut. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  const text = cutLine(JSON.stringify(value) ?? String(value), maxExcerptLength)
  return `\`${text}\` (${Array.isArray(value) ? 'list' : typeof value === 'object' ? 'mapping' : typeof value})`
}
