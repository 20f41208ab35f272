import type { Block, Hook, SpecLines } from '../spec.ts'

/** What the files beside specs of other tools say of their scenarios, taken together. */
export interface ProductContext {
  /** Absolute paths, the outermost first. */
  readonly files: readonly string[]
  /** What agents are to know. */
  readonly preambles: readonly SpecLines[]
  readonly setups: readonly Hook[]
  /** In the order in which they run. */
  readonly teardowns: readonly Hook[]
  /** Blocks of the scenario with this title. */
  blocksOf(title: string): readonly Block[]
  /** Reports sections for scenarios that no file has. `isElsewhere`: whether another file has one with this title. */
  reportUnused(isElsewhere: (title: string, contextFile: string) => boolean): void
}
