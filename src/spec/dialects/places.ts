/**
 * The dialects by name, and where their documents are in projects of the other tool, as globs: there a file needs no word of
 * its dialect. Every start reads this, so it imports nothing.
 */
export const dialectPlaces = {
  scrut: [],
  planner: [],
  openspec: ['**/openspec/specs/**/spec.md', '**/openspec/changes/*/specs/**/spec.md'],
  gherkin: ['**/*.feature'],
  // Its folders begin with a number or a date: `001-cart`.
  'spec-kit': ['**/specs/{0,1,2,3,4,5,6,7,8,9}*-*/spec.md'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DialectName = keyof typeof dialectPlaces

export const namesOfDialects = Object.keys(dialectPlaces) as readonly DialectName[] // keys of a literal

/** The places of all dialects. */
export const knownPlaces: readonly string[] = Object.values(dialectPlaces).flat()
