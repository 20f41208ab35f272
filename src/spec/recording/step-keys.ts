import { isTextSpec } from '../../system/spec-endings.ts'
import { digestParts } from '../digest-parts.ts'
import type { Nodes, RootContent } from 'mdast'
import { inlineText, oneLine } from '../markdown/places.ts'
import { parsePart } from '../markdown/parse-markdown.ts'
import { isContextTitle } from '../sections/build-children.ts'
import type { Block, Group, Scenario, Spec, SpecLine, SpecLines, Step } from '../spec.ts'

/** Version of the keys, written into each recording. Raise it if new keys cannot be compared with older keys. */
export const keysVersion = 2

/** Hexadecimal digits of a key: 32 bits are enough for the steps of one spec. */
export const keyLength = 8

/**
 * Returns keys by step id. A key is a hash of the words of the step, of all before it, and of context such as `Notes`.
 * Formatting, the agent and `verify` blocks do not change a key: `verify` blocks run even after a replay.
 */
export function keysOf(
  spec: Pick<Spec, 'file'>,
  scenario: Scenario,
  fileText: (file: string) => string,
): ReadonlyMap<string, string> {
  const reader = new SpecReader(spec.file, fileText)
  const { setup, preambles = [], lines = [] } = scenario
  const before = [...(setup ? [reader.wordsAt(setup, setup.blocks)] : []), reader.ownText(scenario, scenario.children)]
  const apart = [
    ...[...preambles, ...lines].map((each) => reader.wordsAt(each)),
    // `before` lacks the blocks of set-ups in included files.
    ...(setup?.blocks ?? []).map((block) => reader.textOfUnread(block)),
    ...reader.textsOfContext(scenario),
  ].filter((text) => text !== '')
  let chain = digestParts([String(keysVersion), ...before])
  if (apart.length > 0) chain = digestParts([chain, ...apart])
  const keys = new Map<string, string>()
  for (const { step, groups } of walk(scenario.children)) {
    const heads = groups.map((group) => reader.ownText(group, group.children))
    const row = step.example === undefined ? [] : [step.title, JSON.stringify(step.example.values)]
    chain = digestParts([chain, ...heads, reader.wordsAt(step, step.blocks), ...row])
    keys.set(step.id, chain.slice(0, keyLength))
  }
  return keys
}

function walk(
  children: readonly (Group | Step)[],
  opened: readonly Group[] = [],
): readonly { readonly step: Step; readonly groups: readonly Group[] }[] {
  return children.flatMap((child, index) => {
    const groups = index === 0 ? opened : []
    return child.kind === 'step' ? [{ step: child, groups }] : walk(child.children, [...groups, child])
  })
}

/** Reads the words of parts of a spec. Leaves out text that no agent gets, and blocks that check the agent's work. */
class SpecReader {
  readonly #specFile: string
  readonly #fileText: (file: string) => string
  readonly #lines = new Map<string, readonly string[]>()
  /** Lines whose words have been read, by file. */
  readonly #read = new Map<string, Set<number>>()

  constructor(specFile: string, fileText: (file: string) => string) {
    this.#specFile = specFile
    this.#fileText = fileText
  }

  wordsAt({ file = this.#specFile, line, endLine }: SpecLines, blocks: readonly Block[] = []): string {
    const lines = this.#linesOf(file)
    const own = blocks.filter((block) => (block.file ?? this.#specFile) === file)
    const checked = new Set(own.filter(({ role }) => role === 'verify').flatMap(linesOfBlock))
    const kept = lines.slice(line - 1, endLine).filter((_, index) => !checked.has(line + index))
    this.#read.set(file, new Set([...(this.#read.get(file) ?? []), ...linesFrom(line, endLine)]))
    return wordsIn(kept.join('\n'), file)
  }

  /** The words of a block; empty for a `verify` block, or if its lines have been read already. */
  textOfUnread(block: Block): string {
    const { file = this.#specFile, line } = block
    const isDone = block.role === 'verify' || this.#read.get(file)?.has(line) === true
    return isDone ? '' : this.wordsAt({ ...block, endLine: Math.max(...linesOfBlock(block)) })
  }

  /** The words between a heading and the first heading below it. */
  ownText(
    section: SpecLine & { readonly endLine: number; readonly blocks: readonly Block[] },
    children: readonly (Group | Step)[],
  ): string {
    // Ignore steps above the H1: they belong to the first scenario, but do not end the text below its heading.
    const below = children.filter(({ file, line }) => file === section.file && line >= section.line)
    const next = below.map(({ line }) => line)
    const [first] = children
    // With `Examples`, the rows have the blocks, and the group has none.
    const blocks = first?.kind === 'step' && first.example !== undefined ? first.blocks : section.blocks
    return this.wordsAt({ ...section, endLine: Math.min(section.endLine, ...next.map((line) => line - 1)) }, blocks)
  }

  /** The words of context sections of a scenario, such as `Notes`. */
  textsOfContext({ line, endLine }: Scenario): readonly string[] {
    const file = this.#specFile
    if (isTextSpec(file)) return []
    const parsed = parsePart(
      this.#linesOf(file)
        .slice(line - 1, endLine)
        .join('\n'),
    )
    const nodes = parsed.ok ? parsed.root.children : []
    return nodes.flatMap((node, index) => {
      // Skip the first line, which is the heading of the scenario.
      const isBelow = node.type === 'heading' && node.position?.start.line !== 1
      if (!isBelow || !isContextTitle(inlineText(node))) return []
      const end = nodes.findIndex((other, at) => at > index && other.type === 'heading' && other.depth <= node.depth)
      return nodes.slice(index, end === -1 ? nodes.length : end).map(nodeWords)
    })
  }

  #linesOf(file: string): readonly string[] {
    const known = this.#lines.get(file)
    if (known) return known
    const lines = this.#fileText(file).split('\n')
    this.#lines.set(file, lines)
    return lines
  }
}

/** Returns the lines of a block and of its expected output, with their fences. */
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

/** The words of a text, one line for each node. Any changed word changes the result; formatting does not. */
function wordsIn(text: string, file: string): string {
  if (isTextSpec(file)) return oneLine(text)
  const parsed = parsePart(text)
  return parsed.ok
    ? parsed.root.children
        .map(nodeWords)
        .filter((words) => words !== '')
        .join('\n')
    : text
}

function nodeWords(node: RootContent): string {
  const words = JSON.stringify(contentOf(node))
  return words === '[]' ? '' : words
}

/** A node without position and formatting. Leaves out bullets, list numbers, and whether a check is ticked. */
function contentOf(node: Nodes): readonly unknown[] {
  switch (node.type) {
    case 'html':
      return collapsed(node.value.replace(/<!--(?:-?>|(?!\s*mdtest\s*:)[^]*?-->)/gi, ''))
    case 'text':
      return collapsed(node.value)
    case 'break':
      return []
    case 'list':
    case 'table':
      return [node.type, ...node.children.map(contentOf)]
    default: {
      const { type, position: _position, ...rest } = node
      const { children, ...own } = 'children' in rest ? rest : { ...rest, children: [] as readonly Nodes[] } // a leaf
      const shown = { ...own, ...('checked' in own && { checked: own.checked !== null }), spread: undefined }
      return [type, shown, ...joinTexts(children.map(contentOf))]
    }
  }
}

function collapsed(text: string): readonly string[] {
  const flat = text.replace(/\s+/g, ' ')
  return flat === '' ? [] : [flat]
}

/** Joins neighbouring texts, even across a comment or a line end. */
function joinTexts(parts: readonly (readonly unknown[])[]): readonly unknown[] {
  const joined: unknown[] = []
  for (const each of parts) {
    const [text] = each
    const before = joined.at(-1)
    if (each.length === 1 && typeof text === 'string') {
      if (typeof before === 'string') joined[joined.length - 1] = `${before} ${text}`.replace(/\s+/g, ' ')
      else joined.push(text)
    } else if (each.length > 0) joined.push(each)
  }
  return joined.map((each) => (typeof each === 'string' ? each.trim() : each)).filter((each) => each !== '')
}
