import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'

import { describeAliasFault, describeNoMapping, describeYamlFault } from './describe-yaml-fault.ts'
import type { YamlFault } from './describe-yaml-fault.ts'
import type { Place } from '../spec.ts'
import { messageOf } from '../../system/error-facts.ts'

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

/** Reads YAML that must be a mapping or nothing; `undefined` where a problem was reported. */
export function parseMapping(source: MappingSource): (Mapping & { readonly document: Document }) | undefined {
  const { yaml, what, start, report } = source
  const lines = new LineCounter()
  const inYaml = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line, column: Math.max(col, 1) }
  }
  // Line 0 stands for "unknown".
  const toPlace = (place: Place): Place => (place.line === 0 ? start : source.toPlace(place))
  const reportFault = ({ message, ...place }: YamlFault): void =>
    report('yaml', toPlace(place), `${what} is not valid YAML. ${message}`)
  try {
    const document = parseDocument(yaml, { version: '1.2', lineCounter: lines, prettyErrors: false })
    // One slip can make hundreds of faults of every line that follows: the first is the one to correct.
    const [fault] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
    if (fault !== undefined) {
      reportFault(describeYamlFault(yaml, fault, inYaml(fault.pos[0])))
      return undefined
    }
    // A handful of aliases is plenty; without a limit a few lines could expand to gigabytes.
    const plain: unknown = document.toJS({ maxAliasCount: 20 })
    const placeOf: Mapping['placeOf'] = (path) =>
      placeIn(document, path, { start, toPlace: (offset) => toPlace(inYaml(offset)) })
    if (plain === null || plain === undefined) return { values: new Map(), placeOf, document }
    if (isMap(document.contents)) return { values: new Map(Object.entries(plain)), placeOf, document }
    const why = describeNoMapping(yaml) ?? { line: 1, column: 1, message: '' }
    report('not-a-mapping', toPlace(why), `${what} must be \`key: value\` lines. ${why.message}`.trimEnd())
  } catch (error: unknown) {
    const message = messageOf(error).replace(
      /^Excessive alias count.*/,
      'Its aliases (`*name`) repeat more than is allowed',
    )
    reportFault(
      describeAliasFault(yaml, message) ?? { line: 0, column: 1, message: `${message}. Write the values out.` },
    )
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
