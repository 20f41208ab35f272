import type { OutputUpdate } from '../blocks/run-blocks.ts'
import type { UpdateMode, FileRewrites, UpdateRefusal } from '../host/protocol/protocol.ts'
import { findRefusal, refusals } from '../host/rewrite/update-refusals.ts'
import type { Rewrite } from '../blocks/expected-output/rewrite-markdown.ts'
import { isLeftOut, lineOf, type Block, type SpecLine, stepsOf, type Scenario, type Spec } from '../spec/spec.ts'
import type { ScenarioInput } from './scenario-input.ts'
import { placeholdersIn } from '../spec/markdown/positions-and-placeholders.ts'
import { planBlocks } from './plan-blocks.ts'

/** Collects passed blocks and new text for their expected output. */
export class ScenarioUpdates implements OutputUpdate {
  mode: UpdateMode = 'off'
  readonly #options: Pick<ScenarioInput, 'spec' | 'hashes'>
  readonly #accepted = new Map<Block, readonly Rewrite[]>()
  readonly #unreported: SpecLine[] = []

  constructor(options: Pick<ScenarioInput, 'spec' | 'hashes'>) {
    this.#options = options
  }

  refuse(block: Block, rewrite: Rewrite): string | undefined {
    if (this.mode === 'refused') return refusals.underCi
    const { spec, hashes } = this.#options
    const file = block.file ?? spec.file
    return findRefusal(rewrite, { file, hash: hashes[file], isShared: block.file !== undefined })
  }

  accept(block: Block, rewrites: readonly Rewrite[]): void {
    this.#accepted.set(block, rewrites)
    this.#unreported.push(...rewrites.map(({ line }) => lineOf({ line, file: block.file })))
  }

  drainUnreported(): readonly SpecLine[] {
    return this.#unreported.splice(0)
  }

  of(blocks: readonly Block[]): AcceptedRewrites {
    return new Map([...this.#accepted].filter(([block]) => blocks.includes(block)))
  }
}

export type AcceptedRewrites = ReadonlyMap<Block, readonly Rewrite[]>

/** Collects rewrites by file. A block with several runs is rewritten once, if all runs passed with equal output. */
export function collectRewrites(
  spec: Pick<Spec, 'file' | 'scenarios'>,
  accepted: AcceptedRewrites,
): { readonly files: readonly Omit<FileRewrites, 'hash'>[]; readonly refused: readonly UpdateRefusal[] } {
  const byFile = new Map<string, Rewrite[]>()
  const refused: UpdateRefusal[] = []
  for (const uses of usesByPlace(spec)) {
    const wanted = uses.map(({ block }) => accepted.get(block))
    const rewrites = wanted.find((each) => each !== undefined && each.length > 0)
    const [first] = rewrites ?? []
    if (rewrites === undefined || first === undefined) continue
    const file = uses[0]?.block.file ?? spec.file
    const message = findDisagreement(wanted) ?? findPlaceholder(uses, rewrites)
    if (message !== undefined) refused.push({ file, line: first.line, message })
    else byFile.set(file, [...(byFile.get(file) ?? []), ...rewrites])
  }
  return { files: [...byFile].map(([file, rewrites]) => ({ file, rewrites })), refused }
}

interface BlockUse {
  readonly block: Block
  readonly columns: readonly string[]
}

function usesByPlace(spec: Pick<Spec, 'scenarios'>): Iterable<readonly BlockUse[]> {
  const byPlace = new Map<string, BlockUse[]>()
  for (const use of spec.scenarios.flatMap(usesIn)) {
    const place = JSON.stringify([use.block.file, use.block.line])
    byPlace.set(place, [...(byPlace.get(place) ?? []), use])
  }
  return byPlace.values()
}

function usesIn(scenario: Scenario): readonly BlockUse[] {
  if (scenario.directives.skip !== undefined || scenario.directives.todo) return []
  const planned = planBlocks(scenario)
  const steps = stepsOf(scenario).filter((step) => step.actor !== 'todo' && !isLeftOut(step))
  const usesOf = (blocks: readonly Block[], values = {}): readonly BlockUse[] =>
    blocks.map((block) => ({ block, columns: Object.keys(values) }))
  const ofSteps = steps.flatMap((step) => usesOf(planned.of(step), step.example?.values))
  return [...usesOf(planned.setup), ...usesOf(planned.teardown), ...ofSteps]
}

function findDisagreement(wanted: readonly (readonly Rewrite[] | undefined)[]): string | undefined {
  if (wanted.includes(undefined)) return refusals.notAllRan
  const texts = wanted.map((rewrites = []) => JSON.stringify(rewrites.map(({ line, after }) => [line, after])))
  return new Set(texts).size > 1 ? refusals.severalOutputs : undefined
}

/** Returns a refusal if the table would read new output as one of its placeholders. */
function findPlaceholder(uses: readonly BlockUse[], rewrites: readonly Rewrite[]): string | undefined {
  const columns = uses[0]?.columns ?? []
  const lines = rewrites.flatMap(({ after }) => after.filter((line) => typeof line === 'string'))
  const isHeld = columns.length > 0 && lines.some((line) => placeholdersIn(line, columns).size > 0)
  return isHeld ? refusals.placeholder : undefined
}
