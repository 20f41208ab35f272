import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandTag } from '../command-tag.ts'

/** What the code of a `ts` or `js` block finds in scope, besides `expect`. */
export interface ModuleScope {
  /** Runs a command in the scenario's shell: `` await $`npm test` ``. */
  readonly $: CommandTag
  /** Reads a file; a relative path starts at `dir`. The encoding is `utf8` where none is given. */
  readonly readFile: (path: string, encoding?: BufferEncoding) => Promise<string>
  /** What earlier blocks captured, by name; what is set here is there for later ones. */
  readonly captures: Map<string, string>
  /** Absolute path of the scenario's working directory, or of the block's `cwd` in it. */
  readonly dir: string
}

/** What the scope is made of. */
export type ScopeParts = Pick<ModuleScope, '$' | 'captures' | 'dir'>

/** Makes the scope of one block. */
export function createModuleScope(parts: ScopeParts): ModuleScope {
  return {
    ...parts,
    // Awaited here: the errors of `node:fs` name no line of those who call it.
    readFile: async (path, encoding = 'utf8') => await readFile(resolve(parts.dir, path), encoding),
  }
}
