import type { RawFrontMatter } from '../front-matter/parse-front-matter.ts'

/**
 * Front matter of several files as one, the outermost first: lists are joined, mappings are put together, and of all else the
 * last one counts. For the places of its parts ask each file.
 */
export function mergeFrontMatter(all: readonly RawFrontMatter[]): RawFrontMatter {
  const values = new Map<string, unknown>()
  for (const [key, value] of all.flatMap((one) => [...one.values])) values.set(key, merged(values.get(key), value))
  return { values, placeOf: () => ({ line: 1, column: 1 }) }
}

function merged(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...new Set([...before, ...value])]
  if (isMapping(before) && isMapping(value)) return { ...before, ...value }
  return value
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
