import { parseModule, type Program } from '../../vitest/modules/parse-module.ts'
import { findConfigObject, unwrapped, type ObjectExpression } from './find-config-object.ts'
import { addElement, addProperty, apply, lineEnd, type Insertion } from './insertions.ts'
import { walk, type AnyNode } from './walk.ts'

/** What became of a configuration file: its new text, or why it stays as it is. */
export type PluginAddition =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'present' }
  /** It has another form than the usual ones. */
  | { readonly kind: 'unknown' }

const packageName = 'vitest-mdtest'

/** Adds `mdtest()` to the text of a Vitest or Vite configuration. All that is there stays as it is written. */
export function addPlugin(code: string): PluginAddition {
  const program = parseModule(code)
  if (program === undefined) return { kind: 'unknown' }
  const imported = importedName(program)
  if (imported !== undefined && isCalled(program, imported)) return { kind: 'present' }
  if (imported === undefined && isTaken(program)) return { kind: 'unknown' }
  const config = findConfigObject(program)
  const insertions = config && pluginInsertions(code, config, `${imported ?? 'mdtest'}()`)
  if (insertions === undefined) return { kind: 'unknown' }
  const text = apply(code, [...insertions, ...(imported === undefined ? [importInsertion(code, program)] : [])])
  // A comment in an odd place could have swallowed a part.
  const added = parseModule(text)
  return added && isCalled(added, importedName(added)) ? { kind: 'added', text } : { kind: 'unknown' }
}

function importedName({ body }: Program): string | undefined {
  const specifiers = body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' && statement.source.value === packageName ? statement.specifiers : [],
  )
  const found = specifiers.find(
    (each) => each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' && each.imported.name === 'mdtest',
  )
  return found?.local.name
}

function isCalled(program: Program, name: string | undefined): boolean {
  return [...walk(program)].some(
    (node) => node.type === 'CallExpression' && 'callee' in node && isNamed(node.callee, name),
  )
}

/** Something else has the name. */
function isTaken(program: Program): boolean {
  return [...walk(program)].some((node) => isNamed(node, 'mdtest'))
}

function isNamed(node: unknown, name: string | undefined): boolean {
  if (typeof node !== 'object' || node === null) return false
  return 'type' in node && node.type === 'Identifier' && 'name' in node && node.name === name
}

function pluginInsertions(code: string, config: ObjectExpression, call: string): readonly Insertion[] | undefined {
  const plugins = config.properties.find(
    (each) => each.type === 'Property' && !each.computed && keyOf(each.key) === 'plugins',
  )
  if (plugins?.type === 'Property') {
    const list = unwrapped(plugins.value)
    return list.type === 'ArrayExpression' ? addElement(code, list, call) : undefined
  }
  // Written out, the list would replace the one that is spread here.
  if (config.properties.some(({ type }) => type === 'SpreadElement')) return undefined
  return addProperty(code, config, `plugins: [${call}]`)
}

function keyOf(key: AnyNode): unknown {
  if ('name' in key) return key.name
  return 'value' in key ? key.value : undefined
}

/** Behind the other imports and written like them. */
function importInsertion(code: string, { body }: Program): Insertion {
  const last = body.findLast((statement) => statement.type === 'ImportDeclaration')
  const like = last ?? body.at(-1)
  const quote = last?.source.raw?.startsWith('"') ? '"' : "'"
  const semicolon = like && code[like.end - 1] === ';' ? ';' : ''
  const line = `import { mdtest } from ${quote}${packageName}${quote}${semicolon}`
  const lineBreak = code.includes('\r\n') ? '\r\n' : '\n'
  if (last) return { at: lineEnd(code, last.end), text: `${lineBreak}${line}` }
  // References to types count only on top of a file.
  const top = /^(?:(?:#!|\/\/\/).*(?:\r?\n|$))*/.exec(code)?.[0].length ?? 0
  return { at: top, text: `${line}${lineBreak}${lineBreak}` }
}
