import type { OutputUpdate } from '../blocks/run-blocks.ts'
import type { UpdateMode } from '../host/protocol/protocol.ts'
import { findRefusal, refusals } from '../host/rewrite/update-refusals.ts'
import type { Rewrite } from '../blocks/expected-output/rewrite-source.ts'
import { lineOf, type Block, type SpecLine } from '../spec/spec.ts'
import type { AcceptedRewrites } from './collect-rewrites.ts'
import type { ScenarioInput } from './scenario-input.ts'

type UpdateOptions = Pick<ScenarioInput, 'spec' | 'hashes'>

/** Which blocks of a scenario passed, and what of their expected output is to be rewritten. */
export class ScenarioUpdates implements OutputUpdate {
  #mode: UpdateMode = 'off'
  readonly #options: UpdateOptions
  readonly #accepted = new Map<Block, readonly Rewrite[]>()
  #unreported: SpecLine[] = []

  constructor(options: UpdateOptions) {
    this.#options = options
  }

  get mode(): UpdateMode {
    return this.#mode
  }

  /** The scenario was let in: what holds for its run. */
  begin(mode: UpdateMode): void {
    this.#mode = mode
  }

  refuse(block: Block, rewrite: Rewrite): string | undefined {
    if (this.#mode === 'refused') return refusals.underCi
    const { spec, hashes } = this.#options
    const file = block.file ?? spec.file
    return findRefusal(rewrite, { file, hash: hashes[file], isShared: block.file !== undefined })
  }

  accept(block: Block, rewrites: readonly Rewrite[]): void {
    this.#accepted.set(block, rewrites)
    this.#unreported.push(...rewrites.map(({ line }) => lineOf({ line, file: block.file })))
  }

  /** First lines of what was accepted since the last call. */
  drainUnreported(): readonly SpecLine[] {
    const lines = this.#unreported
    this.#unreported = []
    return lines
  }

  /** What is to be rewritten of blocks that passed; of any other block nothing is known. */
  of(blocks: readonly Block[]): AcceptedRewrites {
    return new Map([...this.#accepted].filter(([block]) => blocks.includes(block)))
  }
}
