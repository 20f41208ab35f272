import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'

import type { Place } from './spec.ts'

/** A mapping as YAML gives it, with the place of each of its parts. */
export interface Mapping {
  readonly values: ReadonlyMap<string, unknown>
  /** Place of a key or list item in the spec; of the nearest parent where it has none. */
  placeOf(path: readonly PropertyKey[]): Place
}

export interface MappingSource {
  readonly yaml: string
  /** For messages: what it is, as the beginning of a sentence. */
  readonly what: string
  readonly start: Place
  /** Where a place in the YAML, counted from 1, is in the spec. */
  toPlace(inYaml: Place): Place
  report(fault: 'yaml' | 'not-a-mapping', place: Place, message: string): void
}

// One slip can make hundreds of errors of every line that follows.
const maxFaults = 5

/** Reads YAML that must be a mapping or nothing; `undefined` where a problem was reported. */
export function parseMapping(source: MappingSource): (Mapping & { readonly document: Document }) | undefined {
  const { yaml, what, start, report } = source
  const lines = new LineCounter()
  const toPlace = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    // Line 0 stands for "unknown".
    return line === 0 ? start : source.toPlace({ line, column: Math.max(col, 1) })
  }
  const reportYaml = (place: Place, message: string): void =>
    report(
      'yaml',
      place,
      `${what} is not valid YAML: ${message.split('\n')[0]}. Correct it; quote values with special characters.`,
    )
  try {
    const document = parseDocument(yaml, { version: '1.2', lineCounter: lines, prettyErrors: false })
    const faults = [...document.errors, ...document.warnings]
    for (const fault of faults.slice(0, maxFaults)) reportYaml(toPlace(fault.pos[0]), fault.message)
    if (faults.length > 0) return undefined
    // A handful of aliases is plenty; without a limit a few lines could expand to gigabytes.
    const plain: unknown = document.toJS({ maxAliasCount: 20 })
    const placeOf: Mapping['placeOf'] = (path) => placeIn(document, path, { start, toPlace })
    if (plain === null || plain === undefined) return { values: new Map(), placeOf, document }
    if (isMap(document.contents)) return { values: new Map(Object.entries(plain)), placeOf, document }
    report('not-a-mapping', source.toPlace({ line: 1, column: 1 }), `${what} must be \`key: value\` lines.`)
  } catch (error: unknown) {
    reportYaml(start, error instanceof Error ? error.message : String(error))
  }
  return undefined
}

function placeIn(
  document: Document,
  path: readonly PropertyKey[],
  { start, toPlace }: { readonly start: Place; toPlace(offset: number): Place },
): Place {
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
