import type { CommandTag } from '../command-tag.ts'

/** Names that a `ts` or `js` block can use without an import, besides `expect`. */
export interface ModuleScope {
  /** Runs a command in the scenario's shell: `` await $`npm test` ``. */
  readonly $: CommandTag
  /** Reads a file; a relative path starts at `dir`. The default encoding is `utf8`. */
  readonly readFile: (path: string, encoding?: BufferEncoding) => Promise<string>
  /** Captures of earlier blocks. New values become captures for later blocks. */
  readonly captures: Map<string, string>
  /** Absolute path of the scenario's working directory, or of the block's `cwd` in it. */
  readonly dir: string
}
