import { parseModule, type Program } from '../../vitest/modules/parse-module.ts'
import { findConfigObject, unwrapped, type ObjectExpression, walk, type AnyNode } from './find-config-object.ts'
import { importedName, importInsertion } from './imports.ts'
import { addElement, addProperty, apply, type Insertion } from './insertions.ts'
import { formatList, vitest, type Runner } from './runners.ts'
/** What became of a configuration file: its new text, or why it stays as it is. */
export type PluginAddition =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'present' }
  /** It is that of a project in a workspace: what runs the specs belongs into the root's. */
  | { readonly kind: 'part' }
  /** It has another form than the usual ones. */
  | { readonly kind: 'unknown' }

/**
 * Adds `mdtest()` to the text of a configuration of Vitest, Vite or Jest. All that is there stays as it is written.
 *
 * @param options argument of the call, as it is written; empty for none
 */
export function addPlugin(code: string, runner: Runner = vitest, options = ''): PluginAddition {
  const { packageName } = runner
  const program = parseModule(code)
  if (program === undefined) return { kind: 'unknown' }
  if (isOfWorkspace(program)) return { kind: 'part' }
  const imported = importedName(program, packageName)
  if (imported !== undefined && isCalled(program, imported)) return { kind: 'present' }
  if (imported === undefined && isTaken(program)) return { kind: 'unknown' }
  const config = findConfigObject(program)
  const insertions = config && listInsertions(code, config, { runner, call: `${imported ?? 'mdtest'}(${options})` })
  if (insertions === undefined) return { kind: 'unknown' }
  const text = apply(code, [
    ...insertions,
    ...(imported === undefined ? [importInsertion(code, program, packageName)] : []),
  ])
  // A comment in an odd place could have swallowed a part.
  const added = parseModule(text)
  return added && isCalled(added, importedName(added, packageName)) ? { kind: 'added', text } : { kind: 'unknown' }
}

function isCalled(program: Program, name: string | undefined): boolean {
  return [...walk(program)].some(
    (node) => node.type === 'CallExpression' && 'callee' in node && isNamed(node.callee, name),
  )
}

function isOfWorkspace(program: Program): boolean {
  return isCalled(program, 'defineProject')
}

/** Something else has the name. */
function isTaken(program: Program): boolean {
  return [...walk(program)].some((node) => isNamed(node, 'mdtest'))
}

function isNamed(node: unknown, name: string | undefined): boolean {
  if (typeof node !== 'object' || node === null) return false
  return 'type' in node && node.type === 'Identifier' && 'name' in node && node.name === name
}

interface Addition {
  readonly runner: Runner
  readonly call: string
}

function listInsertions(
  code: string,
  config: ObjectExpression,
  { runner, call }: Addition,
): readonly Insertion[] | undefined {
  const there = config.properties.find(
    (each) => each.type === 'Property' && !each.computed && keyOf(each.key) === runner.key,
  )
  if (there?.type === 'Property') {
    const list = unwrapped(there.value)
    return list.type === 'ArrayExpression' ? addElement(code, list, call) : undefined
  }
  // Written out, the list would replace the one that is spread here.
  if (config.properties.some(({ type }) => type === 'SpreadElement')) return undefined
  return addProperty(code, config, formatList(runner, call))
}

function keyOf(key: AnyNode): unknown {
  if ('name' in key) return key.name
  return 'value' in key ? key.value : undefined
}
