/** Documents at these places need no key `dialect`. This module imports nothing, because every start loads it. */
export const dialectPlaces = {
  planner: [],
  openspec: ['**/openspec/specs/**/spec.md', '**/openspec/changes/*/specs/**/spec.md'],
  gherkin: ['**/*.feature'],
  // Folders of Spec Kit begin with a number or a date: `001-cart`.
  'spec-kit': ['**/specs/{0,1,2,3,4,5,6,7,8,9}*-*/spec.md'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DialectName = keyof typeof dialectPlaces

export const namesOfDialects = Object.keys(dialectPlaces) as readonly DialectName[] // `Object.keys` returns `string[]`

/** Values of `dialect`; `mdtest` is mdtest's own form. */
export const dialectNames: readonly ('mdtest' | DialectName)[] = ['mdtest', ...namesOfDialects]

export const knownPlaces: readonly string[] = Object.values(dialectPlaces).flat()

/** The file that says how to run the product. Specs of other tools have no place for this. */
export const contextName = 'mdtest.context.md'

/** Each folder in `openspec/changes` is a change, except `archive`, which contains finished changes. */
export const changesPlace = { home: 'openspec', folder: 'changes', archive: 'archive' } as const

const places = /[\\/]openspec[\\/](?:specs|changes[\\/]([^\\/]+)[\\/]specs)(?=[\\/])/g

/** The change of a file: NAME in `openspec/changes/NAME/specs/…`. `undefined` for archived changes and other files. */
export function changeOf(file: string): string | undefined {
  // Use the last match, because a project may be inside another project.
  const name = [...file.matchAll(places)].at(-1)?.[1]
  return name === changesPlace.archive ? undefined : name
}
