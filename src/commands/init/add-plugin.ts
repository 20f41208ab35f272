import { parseModule } from '../../vitest/modules/parse-module.ts'

export interface Runner {
  readonly packageName: string
  /** Key of the configuration with the list that `mdtest()` goes into. */
  readonly key: string
  /** What stands in a new list before `mdtest()`. */
  readonly before: readonly string[]
  readonly command: string
}

export const vitest: Runner = {
  packageName: 'vitest-mdtest',
  key: 'plugins',
  before: [],
  command: 'npx vitest run --project mdtest',
}

export const jest: Runner = {
  packageName: 'vitest-mdtest/jest',
  key: 'projects',
  // The configuration itself: its own tests stay as they are.
  before: ["'<rootDir>'"],
  command: 'npx jest --selectProjects mdtest',
}

export function formatList({ key, before }: Runner, call: string): string {
  return `${key}: [${[...before, call].join(', ')}]`
}

export function formatImport(
  { packageName }: Runner,
  { isRequire, quote = "'" }: { readonly isRequire: boolean; readonly quote?: string },
): string {
  const from = `${quote}${packageName}${quote}`
  return isRequire ? `const { mdtest } = require(${from})` : `import { mdtest } from ${from}`
}

export type PluginAddition =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'present' }
  /** It is that of a project in a workspace: what runs the specs belongs into the root's. */
  | { readonly kind: 'part' }
  | { readonly kind: 'unknown' }

/** All that is there stays as it is written. @param options argument of the call, as written; empty for none */
export function addPlugin(code: string, runner: Runner = vitest, options = ''): PluginAddition {
  const file = readFile(code)
  if (file === undefined) return { kind: 'unknown' }
  if (isCalled(file, 'defineProject')) return { kind: 'part' }
  const imported = importedName(file, runner.packageName)
  if (imported !== undefined && isCalled(file, imported)) return { kind: 'present' }
  // Something else has the name.
  if (imported === undefined && file.nodes.some((node) => isNamed(node, 'mdtest'))) return { kind: 'unknown' }
  const config = objectIn(exportedBy(file), file)
  const insertions = config && listInsertions(code, config, { runner, call: `${imported ?? 'mdtest'}(${options})` })
  if (insertions === undefined) return { kind: 'unknown' }
  const all = [...insertions, ...(imported === undefined ? [importInsertion(file, runner)] : [])]
  const text = all
    .toSorted((one, other) => other.at - one.at)
    .reduce((before, { at, text: more }) => before.slice(0, at) + more + before.slice(at), code)
  // A comment in an odd place could have swallowed a part.
  const added = readFile(text)
  const name = added && importedName(added, runner.packageName)
  return added && name !== undefined && isCalled(added, name) ? { kind: 'added', text } : { kind: 'unknown' }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface ConfigFile {
  readonly code: string
  readonly body: readonly Node[]
  readonly nodes: readonly Node[]
}

function readFile(code: string): ConfigFile | undefined {
  const program: unknown = parseModule(code)
  return isNode(program) ? { code, body: nodesIn(program['body']), nodes: [...walk(program)] } : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) for (const child of nodesIn(value)) yield* walk(child)
}

function nodesIn(value: unknown): readonly Node[] {
  return [value].flat().filter(isNode)
}

function nodeIn(node: Node | undefined, key: string): Node | undefined {
  return nodesIn(node?.[key])[0]
}

function isNamed(node: Node | undefined, name: string): boolean {
  return node?.type === 'Identifier' && node['name'] === name
}

function isCalled({ nodes }: ConfigFile, name: string): boolean {
  return nodes.some((node) => node.type === 'CallExpression' && isNamed(nodeIn(node, 'callee'), name))
}

/** The name under which a file has `mdtest` of a package, by `import` or `require`. */
function importedName({ body }: ConfigFile, packageName: string): string | undefined {
  const imports = body.filter((node) => node.type === 'ImportDeclaration')
  const specifiers = imports
    .filter((node) => nodeIn(node, 'source')?.['value'] === packageName)
    .flatMap((node) => nodesIn(node['specifiers']))
    .filter((each) => isNamed(nodeIn(each, 'imported'), 'mdtest'))
    .map((each) => nodeIn(each, 'local'))
  const properties = body
    .flatMap((node) => nodesIn(node['declarations']))
    .filter((each) => requiredPackage(each) === packageName)
    .flatMap((each) => nodesIn(nodeIn(each, 'id')?.['properties']))
    .filter((each) => isNamed(nodeIn(each, 'key'), 'mdtest'))
    .map((each) => nodeIn(each, 'value'))
  const name = [...specifiers, ...properties][0]?.['name']
  return typeof name === 'string' ? name : undefined
}

function requiredPackage(declarator: Node): unknown {
  const init = nodeIn(declarator, 'init')
  return isNamed(nodeIn(init, 'callee'), 'require') ? nodesIn(init?.['arguments'])[0]?.['value'] : undefined
}

/** The value that a file exports, by `export default` or `module.exports = …`. */
function exportedBy(file: ConfigFile): Node | undefined {
  const declared = file.body.find((node) => node.type === 'ExportDefaultDeclaration')
  return nodeIn(declared, 'declaration') ?? exportedByModule(file)
}

function exportedByModule({ code, body }: ConfigFile): Node | undefined {
  const assigned = body
    .map((node) => nodeIn(node, 'expression'))
    .find((node) => {
      const left = node?.type === 'AssignmentExpression' ? nodeIn(node, 'left') : undefined
      return left !== undefined && code.slice(left.start, left.end) === 'module.exports'
    })
  return nodeIn(assigned, 'right')
}

/** Deeper than anybody writes; a constant can be named in its own value. */
const maxDepth = 10

/** The object that a configuration is, in the usual forms; `undefined` in all others. */
function objectIn(node: Node | undefined, file: ConfigFile, depth = 0): Node | undefined {
  if (node === undefined || depth > maxDepth) return undefined
  const inner = (next: Node | undefined): Node | undefined => objectIn(next, file, depth + 1)
  switch (node.type) {
    case 'ObjectExpression':
      return node
    case 'CallExpression': {
      const [first, second] = nodesIn(node['arguments'])
      const callee = nodeIn(node, 'callee')
      return inner(isNamed(callee, 'defineConfig') ? first : isNamed(callee, 'mergeConfig') ? second : undefined)
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return inner(returned(nodeIn(node, 'body')))
    case 'Identifier': {
      const all = file.body.flatMap((each) => nodesIn(each['declarations']))
      const declared = all.find((each) => isNamed(nodeIn(each, 'id'), String(node['name'])))
      return inner(nodeIn(declared, 'init'))
    }
    default:
      return inner(unwrapped(node))
  }
}

/** The value below `as`, `satisfies`, `!` and parentheses; nothing of what is none of these. */
function unwrapped(node: Node): Node | undefined {
  return /^(?:TS\w+Expression|ParenthesizedExpression)$/.test(node.type) ? nodeIn(node, 'expression') : undefined
}

/** What a function gives, where there is one place only that says so. */
function returned(body: Node | undefined): Node | undefined {
  if (body?.type !== 'BlockStatement') return body
  const [only, ...others] = [...walk(body)].filter(({ type }) => type === 'ReturnStatement')
  return others.length === 0 && only && nodesIn(body['body']).includes(only) ? nodeIn(only, 'argument') : undefined
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function listInsertions(
  code: string,
  config: Node,
  { runner, call }: { readonly runner: Runner; readonly call: string },
): readonly Insertion[] | undefined {
  const properties = nodesIn(config['properties'])
  const there = properties.find((each) => {
    const key = nodeIn(each, 'key')
    return each['computed'] !== true && (key?.['name'] ?? key?.['value']) === runner.key
  })
  if (there !== undefined) {
    let list = nodeIn(there, 'value')
    for (let inner = list; inner !== undefined; inner = unwrapped(inner)) list = inner
    return list?.type === 'ArrayExpression' ? addElement(code, list, call) : undefined
  }
  // Written out, the list would replace the one that is spread here.
  if (properties.some(({ type }) => type === 'SpreadElement')) return undefined
  const property = formatList(runner, call)
  const [first] = properties
  if (!first) return [{ at: config.start + 1, text: ` ${property} ` }]
  const lineBreak = lineBreakBetween(code, config.start, first.start)
  if (lineBreak === undefined) return [{ at: first.start, text: `${property}, ` }]
  return [{ at: lineEnd(code, config.start), text: `${lineBreak}${indentOf(code, first.start)}${property},` }]
}

/** At the end of a list, on a line of its own where the others are; nothing where the list ends in a hole. */
function addElement(code: string, list: Node, element: string): readonly Insertion[] | undefined {
  const elements: readonly unknown[] = Array.isArray(list['elements']) ? list['elements'] : []
  const [first, last] = [elements[0], elements.at(-1)]
  if (elements.length === 0) return [{ at: list.start + 1, text: element }]
  if (!isNode(first) || !isNode(last)) return undefined
  const lineBreak = lineBreakBetween(code, list.start, first.start)
  const at = lineEnd(code, last.end)
  if (lineBreak === undefined || at >= list.end) return [{ at: last.end, text: `, ${element}` }]
  const line = `${lineBreak}${indentOf(code, last.start)}${element}`
  // The rest of the line may be a comment on the last element.
  if (/^\s*,/.test(code.slice(last.end, at))) return [{ at, text: `${line},` }]
  return [
    { at: last.end, text: ',' },
    { at, text: line },
  ]
}

/** Behind the others of its kind and written like them. */
function importInsertion(file: ConfigFile, runner: Runner): Insertion {
  const { code, body } = file
  const isEsm = body.some(({ type }) => /^(?:Import|Export)/.test(type))
  const isRequire = !isEsm && exportedByModule(file) !== undefined
  const last = body.findLast((node) =>
    isRequire
      ? nodesIn(node['declarations']).some((each) => requiredPackage(each) !== undefined)
      : node.type === 'ImportDeclaration',
  )
  const like = last ?? body.at(-1)
  const likeCode = like === undefined ? '' : code.slice(like.start, like.end)
  const quote = last !== undefined && /"[^"']*"/.test(likeCode) ? '"' : "'"
  const line = `${formatImport(runner, { isRequire, quote })}${likeCode.endsWith(';') ? ';' : ''}`
  const lineBreak = code.includes('\r\n') ? '\r\n' : '\n'
  if (last) return { at: lineEnd(code, last.end), text: `${lineBreak}${line}` }
  // References to types count only on top of a file, and so does 'use strict'.
  const top = /^(?:(?:#!|\/\/\/|\/\/ @ts-|(['"])use strict\1).*(?:\r?\n|$))*/.exec(code)?.[0].length ?? 0
  return { at: top, text: `${line}${lineBreak}${lineBreak}` }
}

function lineEnd(code: string, from: number): number {
  return from + code.slice(from).search(/\r?\n|$/)
}

function lineBreakBetween(code: string, start: number, end: number): string | undefined {
  return /\r?\n/.exec(code.slice(start, end))?.[0]
}

function indentOf(code: string, offset: number): string {
  const lineStart = code.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(code.slice(lineStart, offset))?.[0] ?? ''
}
