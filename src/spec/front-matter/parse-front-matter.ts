import { isMap, isScalar } from 'yaml'
import type { Document } from 'yaml'

import { parseMapping } from './parse-mapping.ts'
import type { Mapping } from './parse-mapping.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'

/** Front matter as YAML gives it, without the keys that begin with `x-`, which belong to others. */
export type RawFrontMatter = Mapping

const start = { line: 1, column: 1 }

/** Reads the YAML between the `---` lines, which begins on line 2 of the spec. */
export function parseFrontMatter(yaml: string, report: Report): RawFrontMatter {
  const parsed = parseMapping({
    yaml,
    what: 'The front matter',
    start,
    toPlace: ({ line, column }) => ({ line: line + 1, column }),
    report: (fault, place, message) =>
      report(`front-matter-${fault}`, place, `${message}${describeMissingEnd(yaml, place)}`),
  })
  if (parsed === undefined) return { values: new Map(), placeOf: () => start }
  const values = new Map([...parsed.values].filter(([key]) => !key.startsWith('x-')))
  if (values.has('env')) values.set('env', readVariables(parsed.document, values.get('env')))
  return { values, placeOf: parsed.placeOf }
}

/** Where the `---` that ends the front matter is missing, a line further down that looks like it is taken for it. */
function describeMissingEnd(yaml: string, { line }: Place): string {
  const lines = yaml.split(/\r\n|\n/)
  const index = lines.findIndex((text, index) => /^(?:#{1,6} \S|```|~~~)/.test(text) && lines[index - 1]?.trim() === '')
  const isBefore = index !== -1 && index + 2 <= line
  return isBefore ? ` If the \`---\` that ends the front matter is missing above line ${index + 2}, put it there.` : ''
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
