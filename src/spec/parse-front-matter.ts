import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'

import type { Report } from './spec-rules.ts'
import type { Place } from './spec.ts'

/** Front matter as YAML gives it, with the place of each of its parts. */
export interface RawFrontMatter {
  /** Without the keys that begin with `x-`, which belong to others. */
  readonly values: ReadonlyMap<string, unknown>
  /** Place of a key or list item in the spec; of the nearest parent where it has none. */
  placeOf(path: readonly PropertyKey[]): Place
}

const start: Place = { line: 1, column: 1 }

// One slip can make hundreds of errors of every line that follows.
const maxFaults = 5

/** Reads the YAML between the `---` lines, which begins on line 2 of the spec. */
export function parseFrontMatter(yaml: string, report: Report): RawFrontMatter {
  const none: RawFrontMatter = { values: new Map(), placeOf: () => start }
  const lines = new LineCounter()
  const toPlace = (offset: number): Place => toSpecPlace(lines.linePos(offset))
  try {
    const document = parseDocument(yaml, { version: '1.2', lineCounter: lines, prettyErrors: false })
    const faults = [...document.errors, ...document.warnings]
    for (const fault of faults.slice(0, maxFaults))
      report('front-matter-yaml', toPlace(fault.pos[0]), yamlMessage(fault.message))
    if (faults.length > 0) return none
    // A handful of aliases is plenty; without a limit a few lines could expand to gigabytes.
    const plain: unknown = document.toJS({ maxAliasCount: 20 })
    if (plain === null || plain === undefined) return none
    if (!isMap(document.contents)) {
      report('front-matter-not-a-mapping', { line: 2, column: 1 }, 'Front matter must be `key: value` lines.')
      return none
    }
    const values = new Map(Object.entries(plain).filter(([key]) => !key.startsWith('x-')))
    if (values.has('env')) values.set('env', readVariables(document, values.get('env')))
    return { values, placeOf: (path) => placeIn(document, path, toPlace) }
  } catch (error: unknown) {
    report('front-matter-yaml', start, yamlMessage(error instanceof Error ? error.message : String(error)))
    return none
  }
}

/** Numbers and booleans of `env` as written: `1.10` must not become `1.1`. */
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

function placeIn(document: Document, path: readonly PropertyKey[], toPlace: (offset: number) => Place): Place {
  let place = start
  let node: unknown = document.contents
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined
    const next: unknown = isSeq(node) ? node.items[Number(part)] : pair?.value
    const anchor: unknown = pair?.key ?? next
    if (isNode(anchor) && anchor.range) place = toPlace(anchor.range[0])
    node = next
  }
  return place
}

function toSpecPlace({ line, col }: { readonly line: number; readonly col: number }): Place {
  // Line 0 stands for "unknown"; the opening `---` is line 1.
  return { line: Math.max(line, 0) + 1, column: Math.max(col, 1) }
}

function yamlMessage(message: string): string {
  return `The front matter is not valid YAML: ${message.split('\n')[0]}. Correct it; quote values with special characters.`
}
