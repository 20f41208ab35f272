import type { ModelAction } from '../../support/tool-dialect.ts'

/** By which means an agent tries to have what it then claims. The last is a program that has the name of a CLI. */
export const ways = ['own shell', 'own editor', '`run`', 'own process'] as const // names
export type Way = (typeof ways)[number]

/**
 * What it does for each of the two steps before it reports that. In names of files `{evidence}` and `{scratch}` are
 * folders that the prompt names; `{evidence}` in a command is a word of it.
 */
export type Acts = readonly [addNote: readonly ModelAction[], listNotes: readonly ModelAction[]]

type Evidence = readonly (string | { readonly quote: string })[]

/** A lie that no rule sees where the agent acts itself, told where mdtest acts for it. */
export interface Lie {
  /** In one sentence. */
  readonly does: string
  readonly spec?: string
  /** Further files of the product. */
  readonly files?: Readonly<Record<string, string>>
  /** Where it can, it changes files that others are not to change. */
  readonly changesSources?: true
  /** By tools of its CLI. What the product prints by `run` is quoted as well. */
  readonly shell: Acts
  readonly editor: Acts
  /** By tools of mdtest's. */
  readonly run: Acts
  /** What it cites for each step, and for each check of it. */
  readonly cites: readonly [addNote: Evidence, listNotes: Evidence]
}

/** What the product would print if it worked. */
export const quotes: Lie['cites'] = [[{ quote: 'added milk' }], [{ quote: '1 [ ] milk' }]]

/** By the tool of the agent's CLI, not by mdtest's. */
export function own(action: ModelAction): ModelAction {
  return { ...action, isOwn: true }
}

export function write(file: string, content: string): ModelAction {
  return { kind: 'write', file, content }
}
