import type { ModuleBlock } from '../blocks/run-module.ts'
import type { Block, Group, Scenario, Spec, Step } from '../spec/spec.ts'
import { fileOf } from './is-spec.ts'
import { sourceMap, type SourceMap } from './source-map.ts'

/** The `ts` and `js` blocks of a spec, in a fixed order: main process and worker know one by its place. */
export function moduleBlocksOf({ scenarios }: Pick<Spec, 'scenarios'>): readonly ModuleBlock[] {
  return scenarios.flatMap(blocksOf).filter((block): block is ModuleBlock => block.kind === 'module')
}

/** Id of the module of a block: in the spec's folder, so that imports are relative to it. */
export function moduleIdOf(file: string, { line, language }: ModuleBlock): string {
  return `${file}.mdtest-${line}.${language}`
}

/** What the module of a block is made of. */
export interface BlockSource {
  readonly id: string
  readonly block: ModuleBlock
  /** The markdown and its text. */
  readonly file: string
  readonly text: string
}

/** The same blocks, in the same order. */
export function blockSourcesOf(spec: Spec, text: string): readonly BlockSource[] {
  const { file } = spec
  return moduleBlocksOf(spec).map((block) => ({ id: moduleIdOf(file, block), block, file, text }))
}

/** The modules of all blocks, as a glob. */
export const blockModulesGlob = '**/*.test.md.mdtest-*'

/** Path of the spec in the id of a block's module. */
export function specOfModule(id: string): string | undefined {
  return /^(.*\.test\.md)\.mdtest-\d+\.[jt]s$/.exec(fileOf(id))?.[1]
}

/** Code of a block on the lines that it has in the markdown, as a module. */
export function generateBlockModule(source: BlockSource): { readonly code: string; readonly map: SourceMap } {
  const { code, codeLine } = source.block
  const above = Array.from({ length: codeLine - 1 }, () => '')
  const markdown = source.text.split('\n')
  const lines = code.split('\n')
  const origins = lines.map((line, index) => {
    const place = codeLine - 1 + index
    // The fence may be indented, and then its code is by as much.
    const column = Math.max(0, (markdown[place]?.trimEnd().length ?? 0) - line.trimEnd().length)
    return { line: place, column, length: line.length }
  })
  return {
    code: [...above, ...lines].join('\n'),
    map: sourceMap(source, [...above.map(() => undefined), ...origins]),
  }
}

function blocksOf(scenario: Scenario): readonly Block[] {
  const { setup, teardown } = scenario
  return [...(setup?.blocks ?? []), ...blocksBelow(scenario), ...(teardown?.blocks ?? [])]
}

function blocksBelow(node: Scenario | Group | Step): readonly Block[] {
  return 'children' in node ? [...node.blocks, ...node.children.flatMap(blocksBelow)] : node.blocks
}
