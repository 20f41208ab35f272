import { basename, relative } from 'node:path'
import { memberOf } from '../../system/text/parse-json.ts'
import { lineOfRollupError } from '../private-api/untyped-members.ts'
import { inspect, stripVTControlCharacters } from 'node:util'
import type { ModuleBlock, ModuleFailure } from '../../blocks/module/run-module.ts'
import { moduleIdOf } from '../modules/module-blocks.ts'
import { ofModuleLoader } from '../../system/error-facts.ts'
import { createExpect } from 'vitest'
import { isInside } from '../../system/files/paths.ts'

export interface BlockPlace {
  readonly file: string
  readonly root: string
  readonly block: ModuleBlock
}

/** Matches an unknown name, or a call of what a module does not export (Vite imports it as `undefined`) or `expect` lacks. */
const ofBlock =
  /^ReferenceError: |\b(?:__vi\w+__|expect)\.\w+\)? is not a (?:function|constructor)|: Assignment to constant variable/
const ofChai = /^Invalid Chai property: /

export function describeError(error: unknown, place: BlockPlace): ModuleFailure {
  const frames = framesOf(error)
  const index = frames.findIndex((frame) => isInBlock(frame, place))
  const origin = frames
    .slice(0, index < 0 ? undefined : index)
    .find(({ file }) => file !== place.file && !file.includes('/node_modules/') && isInside(file, place.root))
  const where = origin ? `\n(thrown at ${relative(place.root, origin.file)}:${origin.line}:${origin.column})` : ''
  const isNotLoaded = [error, memberOf(error, 'cause')].some(
    (each) => memberOf(each, 'runnerError') !== undefined || ofModuleLoader.test(String(memberOf(each, 'stack'))),
  )
  const said = String(memberOf(error, 'message'))
  const isBroken =
    isNotLoaded || ofChai.test(said) || (index === 0 && ofBlock.test(`${memberOf(error, 'name')}: ${said}`))
  return { message: `${wholeMessage(error)}${where}`, line: frames[index]?.line, isBroken, ...comparedValues(error) }
}

export function describeLoadError(error: unknown, place: BlockPlace): ModuleFailure {
  const { file, root, block } = place
  const id = moduleIdOf(file, block)
  const { message, ...failure } = describeError(error, place)
  return {
    ...failure,
    isBroken: failure.isBroken === true || framesOf(error).every(({ file }) => file.includes('/node_modules/')),
    message: message.replaceAll(id, relative(root, file)).replaceAll(basename(id), basename(file)),
    line: failure.line ?? lineOfSyntax(error, basename(id)) ?? lineOfImport(message, block),
  }
}

/** Line of a syntax error: the same in the markdown and in the block's module. */
function lineOfSyntax(error: unknown, module: string): number | undefined {
  const [, rest = ''] = wholeMessage(error).split(`${module}:`)
  const line = lineOfRollupError(error) ?? Number.parseInt(rest, 10)
  return Number.isNaN(line) ? undefined : line
}

function lineOfImport(message: string, { code, codeLine }: ModuleBlock): number | undefined {
  const specifier = /['"](.+?)['"]/.exec(message)?.[1]
  const index = specifier === undefined ? -1 : code.split('\n').findIndex((line) => line.includes(specifier))
  return index < 0 ? undefined : codeLine + index
}

interface Frame {
  readonly file: string
  readonly line: number
  readonly column: number
}

function framesOf(error: unknown): readonly Frame[] {
  return String(memberOf(error, 'stack') ?? '')
    .split('\n')
    .flatMap((text) => {
      const match = /^\s+at (?:.*\()?(?:file:\/\/)?(\/.*?):(\d+):(\d+)\)?$/.exec(text)
      return match ? [{ file: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) }] : []
    })
}

/** Checks the file and the line, because stack frames of the spec's generated module are in the same file. */
function isInBlock({ file, line }: Frame, { file: spec, block }: BlockPlace): boolean {
  return file === spec && line > block.line && line <= block.line + block.code.split('\n').length
}

const maxCauses = 3

function wholeMessage(error: unknown, depth = 0): string {
  if (typeof memberOf(error, 'message') !== 'string') return `${inspect(error)} was thrown, which is not an error.`
  const message = stripVTControlCharacters(String(memberOf(error, 'message') ?? ''))
  const name = String(memberOf(error, 'name') ?? 'Error')
  const text = message || String(memberOf(error, 'code') ?? '') || 'an error without a message'
  const cause = memberOf(error, 'cause')
  const tail = cause === undefined || depth >= maxCauses ? '' : `\nCaused by: ${wholeMessage(cause, depth + 1)}`
  return `${plainNames.has(name) ? '' : `${name}: `}${text}${tail}`
}

const plainNames: ReadonlySet<string> = new Set(['AssertionError', 'Error', 'MdtestError', 'RolldownError'])

function comparedValues(error: unknown): Pick<ModuleFailure, 'expected' | 'actual'> {
  const [expected, actual] = [memberOf(error, 'expected'), memberOf(error, 'actual')]
  const hasDiff = memberOf(error, 'showDiff') !== false && expected !== undefined && actual !== undefined
  return hasDiff ? { expected: printValue(expected), actual: printValue(actual) } : {}
}

/** Prints a value as Vitest's diffs do, including asymmetric matchers. */
function printValue(value: unknown): string {
  if (typeof value === 'string') return value
  let printed: string | undefined
  const expect = createExpect()
  // Vitest's printer is available only inside a matcher, so define one.
  expect.extend({
    toBePrinted(received) {
      printed = this.utils.stringify(received, undefined, { printBasicPrototype: false })
      return { pass: true, message: () => '' }
    },
  })
  const assertion = expect(value)
  const matcher: unknown = Reflect.get(assertion, 'toBePrinted')
  if (typeof matcher === 'function') Reflect.apply(matcher, assertion, [])
  return printed ?? inspect(value)
}
