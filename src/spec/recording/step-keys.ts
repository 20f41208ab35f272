import { digestParts } from '../digest-parts.ts'
import type { Nodes, RootContent } from 'mdast'
import { inlineText } from '../markdown/places.ts'
import { parsePart } from '../markdown/parse-markdown.ts'
import { isContextTitle } from '../sections/build-children.ts'
import type { Block, Group, Scenario, Spec, SpecLine, SpecLines, Step } from '../spec.ts'

/** Changes where keys made before could not be compared. It stands in each recording. */
export const keysVersion = 2

/** Characters of a key: 32 bits tell the steps of one spec apart. */
export const keyLength = 8

/**
 * The key of each step of a scenario, by its id: what the step and all before it say. A step that says something else,
 * and each behind it, has another key. So do words of context (`Notes`). Not in it: the file's name, the agent, comments,
 * how the markdown is formatted, and `verify` blocks, which mdtest runs behind a replay as behind an agent.
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
  const before = [...(setup ? [reader.textOf(setup, setup.blocks)] : []), reader.ownText(scenario, scenario.children)]
  const apart = [
    ...[...preambles, ...lines].map((each) => reader.textOf(each)),
    // Of other files than the rest of the set-up.
    ...(setup?.blocks ?? []).map((block) => reader.textOfUntold(block)),
    ...reader.textsOfContext(scenario),
  ].filter((text) => text !== '')
  let chain = digestParts([String(keysVersion), ...before])
  if (apart.length > 0) chain = digestParts([chain, ...apart])
  const keys = new Map<string, string>()
  for (const { step, groups } of walk(scenario.children)) {
    const heads = groups.map((group) => reader.ownText(group, group.children))
    const row = step.example === undefined ? [] : [step.title, JSON.stringify(step.example.values)]
    chain = digestParts([chain, ...heads, reader.textOf(step, step.blocks), ...row])
    keys.set(step.id, chain.slice(0, keyLength))
  }
  return keys
}

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

  /** What lines say, but for blocks with which mdtest checks something. */
  textOf({ file = this.#specFile, line, endLine }: SpecLines, blocks: readonly Block[] = []): string {
    const lines = this.#linesOf(file)
    const own = blocks.filter((block) => (block.file ?? this.#specFile) === file)
    const checked = new Set(own.filter(({ role }) => role === 'verify').flatMap(linesOfBlock))
    const told = lines.slice(line - 1, endLine).filter((_, index) => !checked.has(line + index))
    this.#told.set(file, new Set([...(this.#told.get(file) ?? []), ...linesFrom(line, endLine)]))
    return wordsIn(told.join('\n'), file)
  }

  /** A block of which nothing was told; empty where it was, or mdtest checks something with it. */
  textOfUntold(block: Block): string {
    const { file = this.#specFile, line } = block
    const isTold = block.role === 'verify' || this.#told.get(file)?.has(line) === true
    return isTold ? '' : this.textOf({ ...block, endLine: Math.max(...linesOfBlock(block)) })
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
    return this.textOf({ ...section, endLine: Math.min(section.endLine, ...next.map((line) => line - 1)) }, blocks)
  }

  /** Sections of a scenario that are no steps, as far as nothing was told of them. */
  textsOfContext({ line, endLine }: Scenario): readonly string[] {
    const file = this.#specFile
    if (isFeature(file)) return []
    const parsed = parsePart(
      this.#linesOf(file)
        .slice(line - 1, endLine)
        .join('\n'),
    )
    const nodes = parsed.ok ? parsed.root.children : []
    return nodes.flatMap((node, index) => {
      // The first line is the heading of the scenario.
      const isBelow = node.type === 'heading' && node.position?.start.line !== 1
      if (!isBelow || !isContextTitle(inlineText(node))) return []
      const end = nodes.findIndex((other, at) => at > index && other.type === 'heading' && other.depth <= node.depth)
      return nodes.slice(index, end === -1 ? nodes.length : end).map(wordsOf)
    })
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

function isFeature(file: string): boolean {
  return file.endsWith('.feature')
}

/** All that a text says, in one line for each of its nodes: formatting changes nothing of it, every word does. */
function wordsIn(text: string, file: string): string {
  if (isFeature(file)) return text.replace(/\s+/g, ' ').trim()
  const parsed = parsePart(text)
  return parsed.ok
    ? parsed.root.children
        .map(wordsOf)
        .filter((words) => words !== '')
        .join('\n')
    : text
}

function wordsOf(node: RootContent): string {
  const words = JSON.stringify(tellingOf(node))
  return words === '[]' ? '' : words
}

/** A node without its place, and without what only formats: marks of emphasis, numbers of items, ticks of checks. */
function tellingOf(node: Nodes): readonly unknown[] {
  switch (node.type) {
    case 'html':
      return plain(node.value.replace(/<!--(?:-?>|(?!\s*mdtest\s*:)[^]*?-->)/gi, ''))
    case 'text':
      return plain(node.value)
    case 'break':
      return []
    case 'list':
    case 'table':
      return [node.type, ...node.children.map(tellingOf)]
    default: {
      const { type, position: _position, ...rest } = node
      const { children, ...own } = 'children' in rest ? rest : { ...rest, children: [] as readonly Nodes[] } // a leaf
      const told = { ...own, ...('checked' in own && { checked: own.checked !== null }), spread: undefined }
      return [type, told, ...joinTexts(children.map(tellingOf))]
    }
  }
}

/** White space is one blank, and none where a line begins or ends. */
function plain(text: string): readonly string[] {
  const flat = text.replace(/\s+/g, ' ')
  return flat === '' ? [] : [flat]
}

/** Texts that a comment or the end of a line parted are one. */
function joinTexts(told: readonly (readonly unknown[])[]): readonly unknown[] {
  const joined: unknown[] = []
  for (const each of told) {
    const [text] = each
    const before = joined.at(-1)
    if (each.length === 1 && typeof text === 'string') {
      if (typeof before === 'string') joined[joined.length - 1] = `${before} ${text}`.replace(/\s+/g, ' ')
      else joined.push(text)
    } else if (each.length > 0) joined.push(each)
  }
  return joined.map((each) => (typeof each === 'string' ? each.trim() : each)).filter((each) => each !== '')
}
