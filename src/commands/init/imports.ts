import type { Program } from '../../vitest/modules/parse-module.ts'
import { lineEnd, type Insertion } from './insertions.ts'

type Statement = Program['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

/** A CommonJS file: it has no `import` or `export`, and says what it exports by `module.exports`. */
function isCommonJs(program: Program): boolean {
  const isEsm = program.body.some(({ type }) => /^(?:Import|Export)/.test(type))
  return !isEsm && exportedByModule(program) !== undefined
}

/** The value of `module.exports = …`. */
export function exportedByModule({ body }: Program): Expression | undefined {
  for (const statement of body) {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') continue
    const { left, right } = statement.expression
    if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || left.object.name !== 'module') continue
    if (left.property.type === 'Identifier' && left.property.name === 'exports') return right
  }
  return undefined
}

/** The name under which a file has `mdtest` of a package, by `import` or `require`. */
export function importedName(program: Program, packageName: string): string | undefined {
  for (const statement of program.body) {
    const name = nameInImport(statement, packageName) ?? nameInRequire(statement, packageName)
    if (name !== undefined) return name
  }
  return undefined
}

function nameInImport(statement: Statement, packageName: string): string | undefined {
  if (statement.type !== 'ImportDeclaration' || statement.source.value !== packageName) return undefined
  const found = statement.specifiers.find(
    (each) => each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' && each.imported.name === 'mdtest',
  )
  return found?.local.name
}

function nameInRequire(statement: Statement, packageName: string): string | undefined {
  if (statement.type !== 'VariableDeclaration') return undefined
  for (const { id, init } of statement.declarations) {
    if (requiredPackage(init) !== packageName || id.type !== 'ObjectPattern') continue
    for (const property of id.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'mdtest') continue
      if (property.value.type === 'Identifier') return property.value.name
    }
  }
  return undefined
}

function requiredPackage(init: Expression | null): unknown {
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'require')
    return undefined
  const [argument] = init.arguments
  return argument?.type === 'Literal' ? argument.value : undefined
}

/** Behind the others of its kind and written like them. */
export function importInsertion(code: string, program: Program, packageName: string): Insertion {
  const isRequire = isCommonJs(program)
  const last = program.body.findLast((statement) =>
    isRequire ? isRequireStatement(statement) : statement.type === 'ImportDeclaration',
  )
  const like = last ?? program.body.at(-1)
  const likeCode = like === undefined ? '' : code.slice(like.start, like.end)
  const quote = /"[^"']*"/.test(last === undefined ? '' : likeCode) ? '"' : "'"
  const semicolon = likeCode.endsWith(';') ? ';' : ''
  const line = `${formatImport({ packageName, quote, isRequire })}${semicolon}`
  const lineBreak = code.includes('\r\n') ? '\r\n' : '\n'
  if (last) return { at: lineEnd(code, last.end), text: `${lineBreak}${line}` }
  // References to types count only on top of a file, and so does 'use strict'.
  const top = /^(?:(?:#!|\/\/\/|\/\/ @ts-|(['"])use strict\1).*(?:\r?\n|$))*/.exec(code)?.[0].length ?? 0
  return { at: top, text: `${line}${lineBreak}${lineBreak}` }
}

/** @param style.isRequire for a CommonJS file */
export function formatImport({
  packageName,
  quote = "'",
  isRequire,
}: {
  readonly packageName: string
  readonly quote?: string
  readonly isRequire: boolean
}): string {
  const from = `${quote}${packageName}${quote}`
  return isRequire ? `const { mdtest } = require(${from})` : `import { mdtest } from ${from}`
}

function isRequireStatement(statement: Statement): boolean {
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.some(({ init }) => requiredPackage(init) !== undefined)
  )
}
