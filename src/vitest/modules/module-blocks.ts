import type { ModuleBlock } from '../../blocks/module/run-module.ts'
import type { Block, Group, Scenario, Spec, Step } from '../../spec/spec.ts'
import { fileOf } from '../../plan/is-spec.ts'
import { sourceMap, type SourceMap } from '../../plan/source-map.ts'

/** The `ts` and `js` blocks of a spec in a fixed order: main process and worker name a block by its place. */
export function moduleBlocksOf({ scenarios }: Pick<Spec, 'scenarios'>): readonly ModuleBlock[] {
  return scenarios.flatMap(blocksOf).filter((block): block is ModuleBlock => block.kind === 'module')
}

/** The markdown file of a block. */
export function fileOfBlock(spec: Pick<Spec, 'file'>, block: ModuleBlock): string {
  return block.file ?? spec.file
}

/** Module id of a block. It is in the folder of its file, for relative imports. Each row of a table has its own. */
export function moduleIdOf(file: string, { line, row, language }: ModuleBlock): string {
  return `${file}.mdtest-${row === undefined ? line : `${line}-${row}`}.${language}`
}

export interface BlockSource {
  readonly id: string
  readonly block: ModuleBlock
  readonly file: string
  readonly text: string
}

/** The blocks with their markdown, in the order of `moduleBlocksOf`. `texts` are by absolute path. */
export function blockSourcesOf(spec: Spec, texts: ReadonlyMap<string, string>): readonly BlockSource[] {
  return moduleBlocksOf(spec).map((block) => {
    const file = fileOfBlock(spec, block)
    return { id: moduleIdOf(file, block), block, file, text: texts.get(file) ?? '' }
  })
}

/** A glob for the modules of all blocks. */
export const blockModulesGlob = '**/*.{md,MD,Md,mD}.mdtest-*'

/** Path of the markdown file in the module id of a block. */
export function markdownOfModule(id: string): string | undefined {
  return /^(.*\.md)\.mdtest-\d+(?:-\d+)?\.[jt]s$/i.exec(fileOf(id))?.[1]
}

/** The module of a block. Its code stands on the lines that it has in the markdown. */
export function generateBlockModule(source: BlockSource): { readonly code: string; readonly map: SourceMap } {
  const { code, codeLine } = source.block
  const above = Array.from({ length: codeLine - 1 }, () => '')
  const markdown = source.text.split('\n')
  const lines = code.split('\n')
  const origins = lines.map((line, index) => {
    const place = codeLine - 1 + index
    // The code may be indented with its fence.
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
