import type { Program } from '../../vitest/modules/parse-module.ts'
import { exportedByModule } from './imports.ts'

type Statement = Program['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']
export type ObjectExpression = Extract<Expression, { type: 'ObjectExpression' }>

/** The object that a configuration file exports, in the usual forms; `undefined` in all others. */
export function findConfigObject(program: Program): ObjectExpression | undefined {
  const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration')
  return objectIn(exported?.declaration ?? exportedByModule(program), { program, depth: 0 })
}

type Call = Extract<Expression, { type: 'CallExpression' }>
type FunctionBody = Extract<Expression, { type: 'ArrowFunctionExpression' | 'FunctionExpression' }>['body']
type SomeNode = { readonly type: string } | undefined

interface Search {
  readonly program: Program
  readonly depth: number
}

/** Deeper than anybody writes; a constant can be named in its own value. */
const maxDepth = 10

function objectIn(node: SomeNode, search: Search): ObjectExpression | undefined {
  if (!node || search.depth > maxDepth) return undefined
  const deeper = { ...search, depth: search.depth + 1 }
  // Statements stand here only as default exports, where every other one is an expression.
  const expression = unwrapped(node as Expression) // see the line before
  switch (expression.type) {
    case 'ObjectExpression':
      return expression
    case 'CallExpression':
      return objectIn(configArgument(expression), deeper)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return objectIn(returned(expression.body), deeper)
    case 'Identifier':
      return objectIn(valueOf(expression.name, search.program), deeper)
    default:
      return undefined
  }
}

/** The value without `as`, `satisfies`, `!` and parentheses. */
export function unwrapped(expression: Expression): Expression {
  switch (expression.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return unwrapped(expression.expression)
    default:
      return expression
  }
}

/** `defineConfig(config)`, `mergeConfig(base, config)` */
function configArgument({ callee, arguments: args }: Call): SomeNode {
  if (callee.type !== 'Identifier') return undefined
  if (callee.name === 'defineConfig') return args[0]
  return callee.name === 'mergeConfig' ? args[1] : undefined
}

/** What a function gives, where there is one place only that says so. */
function returned(body: FunctionBody | null): SomeNode {
  if (body?.type !== 'BlockStatement') return body ?? undefined
  const returns = [...walk(body)].filter(({ type }) => type === 'ReturnStatement')
  const [only] = body.body.filter((statement) => statement.type === 'ReturnStatement')
  return returns.length === 1 ? (only?.argument ?? undefined) : undefined
}

function valueOf(name: string, { body }: Program): SomeNode {
  const declared = body.flatMap((statement) => (statement.type === 'VariableDeclaration' ? statement.declarations : []))
  const found = declared.find(({ id }) => id.type === 'Identifier' && id.name === name)
  return found?.init ?? undefined
}

/** A node of a syntax tree, of whatever type. */
export interface AnyNode {
  readonly type: string
}

/** A node and all below it. */
export function* walk(node: AnyNode): Generator<AnyNode> {
  yield node
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) if (isNode(child)) yield* walk(child)
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
