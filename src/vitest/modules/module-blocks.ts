import { sourceMap, type SourceMap } from '../../plan/module-lines.ts'
import { fileOf } from '../../plan/spec-files.ts'
import { memberOf } from '../../system/text/parse-json.ts'
import { blocksOf, type Spec } from '../../spec/spec.ts'
import type { ModuleBlock } from '../../blocks/module/run-module.ts'

/** Lists the `ts` and `js` blocks in a fixed order, because main process and worker refer to a block by its index. */
export function moduleBlocksOf({ scenarios }: Pick<Spec, 'scenarios'>): readonly ModuleBlock[] {
  return scenarios.flatMap(blocksOf).filter((block): block is ModuleBlock => block.kind === 'module')
}

export function fileOfBlock(spec: Pick<Spec, 'file'>, block: ModuleBlock): string {
  return block.file ?? spec.file
}

/** Id of a block's module: a path beside `file`, so that relative imports work. Each table row has its own module. */
export function moduleIdOf(file: string, { line, row, language }: ModuleBlock): string {
  return `${file}.mdtest-${row === undefined ? line : `${line}-${row}`}.${language}`
}

export interface BlockSource {
  readonly id: string
  readonly block: ModuleBlock
  readonly file: string
  readonly text: string
}

export function blockSourcesOf(spec: Spec, texts: ReadonlyMap<string, string>): readonly BlockSource[] {
  return moduleBlocksOf(spec).map((block) => {
    const file = fileOfBlock(spec, block)
    return { id: moduleIdOf(file, block), block, file, text: texts.get(file) ?? '' }
  })
}

export const blockModulesGlob = '**/*.{md,MD,Md,mD}.mdtest-*'

export function markdownOfModule(id: string): string | undefined {
  return /^(.*\.md)\.mdtest-\d+(?:-\d+)?\.[jt]s$/i.exec(fileOf(id))?.[1]
}

/** Pads the code of a block with empty lines, so that it has the same line numbers as in the markdown. */
export function generateBlockModule(source: BlockSource): { readonly code: string; readonly map: SourceMap } {
  const { code, codeLine } = source.block
  const above = Array.from({ length: codeLine - 1 }, () => '')
  const markdown = source.text.split('\n')
  const lines = code.split('\n')
  const origins = lines.map((line, index) => {
    const place = codeLine - 1 + index
    // The code is indented in the markdown if its fence is indented.
    const column = Math.max(0, (markdown[place]?.trimEnd().length ?? 0) - line.trimEnd().length)
    return { line: place, column, length: line.length }
  })
  return { code: [...above, ...lines].join('\n'), map: sourceMap(source, [...above.map(() => undefined), ...origins]) }
}

export interface Statement {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly specifiers?: readonly object[]
  readonly declaration?: object | null
}

/** Names that blocks can use without an import. A block's own import of the same name wins. */
const scopeNames = ['$', 'captures', 'dir', 'expect', 'readFile'] as const

/** Wraps the JavaScript of a block in a function, so that it can run again on a retry. Imports stay outside. */
export function wrapBlock(
  code: string,
  { id, statements }: { readonly id: string; readonly statements: readonly Statement[] },
): { readonly code: string; readonly map: SourceMap } {
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration')
  const outside = [...imports, ...statements.filter(isEmptyExport)]
  const imported = new Set(
    imports.flatMap(({ specifiers = [] }) => specifiers.map((each) => memberOf(memberOf(each, 'local'), 'name'))),
  )
  const names = scopeNames.filter((name) => !imported.has(name))
  const head = [
    ...imports.map(({ start, end }) => code.slice(start, end)),
    // The second brace opens an inner scope in which the code may redeclare these names.
    `export default async ({ ${names.join(', ')} }) => {{`,
  ].join('\n')
  // Replaces a statement with spaces, so that the rest keeps its position.
  const blank = (rest: string, { start, end }: Statement): string =>
    rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/g, ' ') + rest.slice(end)
  const body = outside.reduce(blank, code)
  const origins = [
    ...head.split('\n').map(() => undefined),
    ...body.split('\n').map((text, line) => ({ line, column: 0, length: text.length })),
  ]
  return { code: `${head}\n${body}\n}}`, map: sourceMap({ file: id, text: code }, origins) }
}

export function isExport(statement: Statement): boolean {
  return statement.type.startsWith('Export') && !isEmptyExport(statement)
}

/** TypeScript leaves `export {}` behind when it removes imports of types. */
function isEmptyExport({ type, specifiers, declaration }: Statement): boolean {
  return type === 'ExportNamedDeclaration' && specifiers?.length === 0 && declaration == null
}
