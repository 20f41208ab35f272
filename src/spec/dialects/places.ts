/**
 * The dialects by name, and where their documents are in projects of the other tool, as globs: there a file needs no word of
 * its dialect. Every start reads this, so it imports nothing.
 */
export const dialectPlaces = {
  planner: [],
  openspec: ['**/openspec/specs/**/spec.md', '**/openspec/changes/*/specs/**/spec.md'],
  gherkin: ['**/*.feature'],
  // Its folders begin with a number or a date: `001-cart`.
  'spec-kit': ['**/specs/{0,1,2,3,4,5,6,7,8,9}*-*/spec.md'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DialectName = keyof typeof dialectPlaces

export const namesOfDialects = Object.keys(dialectPlaces) as readonly DialectName[] // keys of a literal

/** The values of `dialect`; `mdtest` stands for none of them. */
export const dialectNames: readonly ('mdtest' | DialectName)[] = ['mdtest', ...namesOfDialects]

export const knownPlaces: readonly string[] = Object.values(dialectPlaces).flat()

/** Name of the file that says how the product is run, for specs of other tools: these have no place for it. */
export const contextName = 'mdtest.context.md'

/** Where changes are: each is a folder in `home/folder`, but for that of those that are done. */
export const changesPlace = { home: 'openspec', folder: 'changes', archive: 'archive' } as const // names

const places = /[\\/]openspec[\\/](?:specs|changes[\\/]([^\\/]+)[\\/]specs)(?=[\\/])/g

/** The name of the change that a file (absolute path) is a spec of: `openspec/changes/NAME/specs/…`. One that is archived is none. */
export function changeOf(file: string): string | undefined {
  // The innermost: a project may lie in a folder of another one.
  const name = [...file.matchAll(places)].at(-1)?.[1]
  return name === changesPlace.archive ? undefined : name
}
