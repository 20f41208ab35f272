import { digestParts } from '../digest-parts.ts'
import type { Block, Group, Hook, Scenario, Spec, SpecLine, SpecLines, Step } from '../spec.ts'

/** Changes where a recording made before could no longer stand for what a step says now. */
const version = 1

/** Characters of a key: 32 bits tell the steps of one spec apart. */
export const keyLength = 8

/**
 * The key of each step of a scenario, by its id: what the step and all before it say. A step that says something else,
 * and each behind it, has another key. Not in it: the file's name, the agent, white space and comments of prose, and
 * `verify` blocks, which mdtest runs behind a replay as behind an agent.
 *
 * @param textOf the text of the spec or of a file that it includes, by absolute path, line ends normalized
 */
export function keysOf(
  spec: Pick<Spec, 'file'>,
  scenario: Scenario,
  textOf: (file: string) => string,
): ReadonlyMap<string, string> {
  const reader = new SpecReader(spec.file, textOf)
  const { setup, preambles = [], lines = [] } = scenario
  const before = [...(setup ? [reader.textOfHook(setup)] : []), reader.ownText(scenario, scenario.children)]
  const apart = [
    ...[...preambles, ...lines].map((each) => reader.textOfPreamble(each)),
    // Of other files than the rest of the set-up.
    ...(setup?.blocks ?? []).map((block) => reader.textOfUntold(block)),
  ].filter((text) => text !== '')
  let chain = digestParts([String(version), ...before])
  if (apart.length > 0) chain = digestParts([chain, ...apart])
  const keys = new Map<string, string>()
  for (const { step, groups } of walk(scenario.children)) {
    const heads = groups.map((group) => reader.ownText(group, group.children))
    const row = step.example === undefined ? [] : [step.title, JSON.stringify(step.example.values)]
    chain = digestParts([chain, ...heads, reader.textOfStep(step), ...row])
    keys.set(step.id, chain.slice(0, keyLength))
  }
  return keys
}

/** Each step in order, with the groups that begin with it. */
function walk(children: readonly (Group | Step)[], opened: readonly Group[] = []): readonly StepWithGroups[] {
  return children.flatMap((child, index) => {
    const groups = index === 0 ? opened : []
    return child.kind === 'step' ? [{ step: child, groups }] : walk(child.children, [...groups, child])
  })
}

interface StepWithGroups {
  readonly step: Step
  readonly groups: readonly Group[]
}

/** What parts of a spec say, without what no agent is told or what mdtest checks behind it. */
class SpecReader {
  readonly #specFile: string
  readonly #textOf: (file: string) => string
  readonly #lines = new Map<string, readonly string[]>()
  /** Of each file, the lines of which something was told. */
  readonly #told = new Map<string, Set<number>>()

  constructor(specFile: string, textOf: (file: string) => string) {
    this.#specFile = specFile
    this.#textOf = textOf
  }

  textOfStep(step: Step): string {
    return this.#text(step, step.endLine, step.blocks)
  }

  textOfHook(hook: Hook): string {
    return this.#text(hook, hook.endLine, hook.blocks)
  }

  textOfPreamble(lines: SpecLines): string {
    return this.#text(lines, lines.endLine, [])
  }

  /** A block of which nothing was told; empty where it was, or mdtest checks something with it. */
  textOfUntold(block: Block): string {
    const { file = this.#specFile, line } = block
    const isTold = block.role === 'verify' || this.#told.get(file)?.has(line) === true
    return isTold ? '' : this.#text(block, Math.max(...linesOfBlock(block)), [])
  }

  /** What stands under a heading, above the first heading below it. */
  ownText(
    section: SpecLine & { readonly endLine: number; readonly blocks: readonly Block[] },
    children: readonly (Group | Step)[],
  ): string {
    // Steps above the first H1 are of its scenario, too.
    const below = children.filter(({ file, line }) => file === section.file && line >= section.line)
    const next = below.map(({ line }) => line)
    const [first] = children
    // The text of a table is that of its group, and its rows have the blocks.
    const blocks = first?.kind === 'step' && first.example !== undefined ? first.blocks : section.blocks
    return this.#text(section, Math.min(section.endLine, ...next.map((line) => line - 1)), blocks)
  }

  #text({ file = this.#specFile, line }: SpecLine, endLine: number, blocks: readonly Block[]): string {
    const lines = this.#linesOf(file)
    const own = blocks.filter((block) => (block.file ?? this.#specFile) === file)
    const checked = new Set(own.filter(({ role }) => role === 'verify').flatMap(linesOfBlock))
    const told = lines.slice(line - 1, endLine).filter((_, index) => !checked.has(line + index))
    this.#told.set(file, new Set([...(this.#told.get(file) ?? []), ...linesFrom(line, endLine)]))
    return [normalize(told.join('\n')), ...codeIn(told)].join('\n')
  }

  #linesOf(file: string): readonly string[] {
    const known = this.#lines.get(file)
    if (known) return known
    const lines = this.#textOf(file).split('\n')
    this.#lines.set(file, lines)
    return lines
  }
}

/** Markdown lines of a block with its fences and those of its expected output. */
function linesOfBlock(block: Block): readonly number[] {
  const outputs = block.kind === 'script' ? block.expected : []
  const own = linesFrom(block.line, block.codeLine + countLines(block.code))
  return [...own, ...outputs.flatMap(({ line, text }) => linesFrom(line - 1, line + countLines(text)))]
}

function linesFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length
}

/** Directives say something; other comments, white space, ticks of checks and the widths of columns do not. */
function normalize(text: string): string {
  return text
    .replace(/<!--(?!\s*mdtest\s*:)[^]*?-->/gi, ' ')
    .replace(/^(\s*(?:[-*+]|\d+[.)])\s+)\[[ xX]\]/gm, '$1[ ]')
    .replace(/-{3,}/g, '---') // As wide as the widest cell of a table.
    .replace(/\s+/g, ' ')
    .trim()
}

/** Lines inside of fences as they are: there white space and comments say something, too. */
function codeIn(lines: readonly string[]): readonly string[] {
  const code: string[] = []
  let opened: { readonly indent: string; readonly marks: string } | undefined
  for (const line of lines) {
    const [indent = ''] = /^[\s>]*/.exec(line) ?? []
    const text = line.slice(indent.length).trimEnd()
    const [, marks] = /^(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}(?!.*`)|~{3,})/.exec(text) ?? []
    if (opened === undefined) opened = marks === undefined ? undefined : { indent, marks }
    else if (text.startsWith(opened.marks) && /^(?:`+|~+)$/.test(text)) opened = undefined
    else code.push(line.slice(Math.min(opened.indent.length, indent.length)))
  }
  return code
}
