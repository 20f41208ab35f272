import { isTextSpec } from '../../system/spec-endings.ts'
import { digestParts } from '../digest-parts.ts'
import type { Definition, Nodes, RootContent } from 'mdast'
import { inlineText, oneLine } from '../markdown/positions-and-placeholders.ts'
import { parseMarkdown, parsePart } from '../markdown/parse-markdown.ts'
import { isContextTitle } from '../sections/section-titles.ts'
import type { Block, Group, Scenario, Spec, SpecLines, Step } from '../spec.ts'

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

interface FileText {
  readonly lines: readonly string[]
  /** The definitions that links refer to, by identifier. */
  readonly targets: ReadonlyMap<string, Definition>
}

/** Reads the words of parts of a spec. Leaves out text that no agent gets, and blocks that check the agent's work. */
class SpecReader {
  readonly #specFile: string
  readonly #fileText: (file: string) => string
  readonly #files = new Map<string, FileText>()
  /** Lines whose words have been read, by file. */
  readonly #read = new Map<string, Set<number>>()

  constructor(specFile: string, fileText: (file: string) => string) {
    this.#specFile = specFile
    this.#fileText = fileText
  }

  wordsAt({ file = this.#specFile, line, endLine }: SpecLines, blocks: readonly Block[] = []): string {
    const at = this.#fileAt(file)
    const own = blocks.filter((block) => (block.file ?? this.#specFile) === file)
    const checked = new Set(own.filter(({ role }) => role === 'verify').flatMap(linesOfBlock))
    const kept = at.lines.slice(line - 1, endLine).filter((_, index) => !checked.has(line + index))
    this.#read.set(file, new Set([...(this.#read.get(file) ?? []), ...linesFrom(line, endLine)]))
    if (isTextSpec(file)) return featureWords(kept)
    const words = nodesIn(kept, at)?.map((node) => nodeWords(node, at))
    return words?.filter((each) => each !== '').join('\n') ?? kept.join('\n')
  }

  /** The words of a block; empty for a `verify` block, or if its lines have been read already. */
  textOfUnread(block: Block): string {
    const { file = this.#specFile, line } = block
    const isDone = block.role === 'verify' || this.#read.get(file)?.has(line) === true
    return isDone ? '' : this.wordsAt({ ...block, endLine: Math.max(...linesOfBlock(block)) })
  }

  /** The words between a heading and the first heading below it. */
  ownText(section: SpecLines & Pick<Group, 'blocks'>, children: Group['children']): string {
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
    const own = this.#fileAt(file)
    const nodes = nodesIn(own.lines.slice(line - 1, endLine), own) ?? []
    return nodes.flatMap((node, index) => {
      // Skip the first line, which is the heading of the scenario.
      const isBelow = node.type === 'heading' && node.position?.start.line !== 1
      if (!isBelow || !isContextTitle(inlineText(node))) return []
      const end = nodes.findIndex((other, at) => at > index && other.type === 'heading' && other.depth <= node.depth)
      return nodes.slice(index, end === -1 ? nodes.length : end).map((each) => nodeWords(each, own))
    })
  }

  #fileAt(file: string): FileText {
    const known = this.#files.get(file)
    if (known) return known
    const text = this.#fileText(file)
    const read = { lines: text.split('\n'), targets: targetsIn(isTextSpec(file) ? '' : text) }
    this.#files.set(file, read)
    return read
  }
}

/** The words of a Gherkin file without comments, padding in tables, and the choice of quotes around a doc string. */
function featureWords(lines: readonly string[]): string {
  let open: string | undefined
  const words = lines.map((line) => {
    const quotes = /^\s*("{3}|`{3})/.exec(line)?.[1]
    if (quotes !== undefined && (open ?? quotes) === quotes) {
      open = open === undefined ? quotes : undefined
      return line.replace('```', '"""')
    }
    if (open !== undefined) return line
    return /^\s*\|/.test(line) ? line.replace(/\s*(?<!\\)\|\s*/g, ' | ') : line.replace(/^\s*#.*/, '')
  })
  return oneLine(words.join('\n'))
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

function nodesIn(lines: readonly string[], { targets }: FileText): readonly RootContent[] | undefined {
  const text = lines.join('\n')
  const words = text.toLowerCase().replace(/\s+/g, ' ')
  // Without a definition, the parser takes a reference for text.
  const definitions = [...targets.keys()].filter((name) => words.includes(`[${name}]`)).map((name) => `[${name}]: #`)
  const parsed = parsePart([text, '', ...definitions].join('\n'))
  return parsed.ok ? parsed.root.children : undefined
}

function targetsIn(text: string): FileText['targets'] {
  const parsed = parseMarkdown(text)
  const nodes = parsed.ok ? withInner(parsed.root) : []
  const used = new Set(nodes.map((node) => ('referenceType' in node ? node.identifier : undefined)))
  const targets = nodes.filter((node) => node.type === 'definition').filter(({ identifier }) => used.has(identifier))
  // If a name is defined twice, the first definition counts.
  return new Map(targets.toReversed().map((each) => [each.identifier, each]))
}

function withInner(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(withInner) : [])]
}

function nodeWords(node: RootContent, at: FileText): string {
  const words = JSON.stringify(contentOf(node, at))
  return words === '[]' ? '' : words
}

/** Matches words of directives that say when a step runs, and how often. */
const ofRuns = /(?:^|\s)(?:(?:tags|retry|repeats|timeout)\s*=\s*(?:"[^"]*"|\S+)|only)(?=\s|$)/g

/** Leaves out comments and what no agent gets of directives. */
function shownHtml(html: string): string {
  return html.replace(/<!--(?:-?>|[^]*?-->)/g, (whole) => {
    const [, said = ''] = /^<!--\s*mdtest\s*:([^]*)-->$/i.exec(whole) ?? []
    const kept = said.replace(ofRuns, '')
    return kept.trim() === '' ? '' : whole.replace(said, () => kept)
  })
}

/** A node without position and formatting. Leaves out bullets, list numbers, and whether a check is ticked. */
function contentOf(written: Nodes, at: FileText): readonly unknown[] {
  const node = linkAt(written, at)
  if (node.type === 'definition' && at.targets.has(node.identifier)) return []
  switch (node.type) {
    case 'html':
      return collapsed(shownHtml(node.value))
    case 'text':
      return collapsed(node.value)
    case 'break':
      return [' ']
    case 'list':
    case 'table':
      return [node.type, ...node.children.map((child) => contentOf(child, at))]
    default: {
      const { type, position: _position, ...rest } = node
      const { children, ...own } = 'children' in rest ? rest : { ...rest, children: [] as readonly Nodes[] } // a leaf
      const shown = { ...own, ...('checked' in own && { checked: own.checked !== null }), spread: undefined }
      const inner = joinTexts(children.map((child) => contentOf(child, at)))
      // `<http://a.b>` is the same as `http://a.b`.
      const address = node.type === 'link' && !node.title && node.url.replace(/^mailto:/, '')
      return inner.length === 1 && inner[0] === address ? inner : [type, shown, ...inner]
    }
  }
}

/** A link or an image by reference, as if its address stood at its place. */
function linkAt(node: Nodes, { targets }: FileText): Nodes {
  const target = 'referenceType' in node ? targets.get(node.identifier) : undefined
  if (target === undefined) return node
  const { title, url } = target
  if (node.type === 'linkReference') return { type: 'link', title, url, children: node.children }
  return node.type === 'imageReference' ? { type: 'image', title, url, alt: node.alt } : node
}

function collapsed(text: string): readonly string[] {
  const flat = text.replace(/\s+/g, ' ')
  return flat === '' ? [] : [flat]
}

/** Joins neighbouring texts, even across a comment, an address or a line end. */
function joinTexts(parts: readonly (readonly unknown[])[]): readonly unknown[] {
  const joined: unknown[] = []
  for (const each of parts) {
    const [text] = each
    const before = joined.at(-1)
    if (each.length === 1 && typeof text === 'string') {
      if (typeof before === 'string') joined[joined.length - 1] = `${before}${text}`.replace(/\s+/g, ' ')
      else joined.push(text)
    } else if (each.length > 0) joined.push(each)
  }
  return joined.map((each) => (typeof each === 'string' ? each.trim() : each)).filter((each) => each !== '')
}
