import { sourceMap, type SourceMap } from '../../plan/source-map.ts'

export interface Statement {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly specifiers?: readonly object[]
  readonly declaration?: object | null
}

/** Names in scope of a block that imports none of the same name. */
const scopeNames = ['$', 'captures', 'dir', 'expect', 'readFile'] as const // the names themselves are used

/** Makes a function of a block's JavaScript, so that it can run again. Imports stay outside, as in any module. */
export function wrapBlock(
  code: string,
  { id, statements }: { readonly id: string; readonly statements: readonly Statement[] },
): { readonly code: string; readonly map: SourceMap } {
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration')
  const outside = [...imports, ...statements.filter(isEmptyExport)]
  const imported = new Set(imports.flatMap(localNames))
  const names = scopeNames.filter((name) => !imported.has(name))
  const head = [
    ...imports.map(({ start, end }) => code.slice(start, end)),
    // The second pair of braces lets the code declare the same names.
    `export default async ({ ${names.join(', ')} }) => {{`,
  ].join('\n')
  const body = outside.reduce((rest, { start, end }) => blank(rest, start, end), code)
  const origins = [
    ...head.split('\n').map(() => undefined),
    ...body.split('\n').map((text, line) => ({ line, column: 0, length: text.length })),
  ]
  return { code: `${head}\n${body}\n}}`, map: sourceMap({ file: id, text: code }, origins) }
}

export function isExport(statement: Statement): boolean {
  return statement.type.startsWith('Export') && !isEmptyExport(statement)
}

/** `export {}` is what remains of imports of types. */
function isEmptyExport({ type, specifiers, declaration }: Statement): boolean {
  return type === 'ExportNamedDeclaration' && specifiers?.length === 0 && declaration == null
}

function localNames({ specifiers = [] }: Statement): readonly unknown[] {
  return specifiers.map((specifier) => Reflect.get(Reflect.get(specifier, 'local') ?? {}, 'name'))
}

/** The replacement is as long as the code, so that nothing behind it moves. */
function blank(code: string, start: number, end: number): string {
  return code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end)
}
