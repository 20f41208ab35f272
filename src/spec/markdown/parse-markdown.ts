import { default as remarkGfm } from 'remark-gfm'
import { default as remarkParse } from 'remark-parse'
import { unified, type Data, type Processor } from 'unified'
import type { Nodes, Root, RootContent } from 'mdast'

import { foldFences } from './fold-fences.ts'
import type { Piece, PieceRequest } from './fold-fences.ts'
import { parsePlain } from './parse-plain.ts'

/** The syntax tree, or the line at which the parser would begin to take too long. */
export type ParsedMarkdown = { readonly ok: true; readonly root: Root } | { readonly ok: false; readonly line: number }

// Beyond it the parser takes seconds; see `costOf`.
const maxCost = 40_000_000
const pieceLength = 1024

const parseAlone = createParser()

/**
 * Parses GitHub flavoured markdown. Addresses that are not marked as links stay text.
 *
 * The parser takes time quadratic in what it finds, so it gets the text in pieces and without the content of fences.
 * The tree is the one of the whole text: that a piece ends where a block begins, and that a fence is one, is read from
 * the tree of the piece, and in markdown no line changes what blocks the lines before it belong to.
 *
 * @param options.from index of the line to begin at, below front matter
 * @param options.minPieceLength characters of a piece at least
 */
export function parseMarkdown(
  text: string,
  { from = 0, minPieceLength = pieceLength }: { readonly from?: number; readonly minPieceLength?: number } = {},
): ParsedMarkdown {
  const lines = text.split('\n')
  const source = { lines, starts: startsOf(lines), from, minPieceLength }
  const first = parsePieces(source, parseAlone)
  if (!first.ok || first.pieceCount === 1) return first
  const labels = labelsOf(first.root)
  // A reference and its definition can be in different pieces.
  return labels.links.length + labels.footnotes.length === 0 ? first : parsePieces(source, createParser(labels))
}

interface Source {
  readonly lines: readonly string[]
  /** Offset of each line. */
  readonly starts: readonly number[]
  readonly from: number
  readonly minPieceLength: number
}

function parsePieces(source: Source, parse: Parse): ParsedMarkdown & { readonly pieceCount: number } {
  const { lines, minPieceLength } = source
  const children: RootContent[] = []
  let request: PieceRequest = { from: source.from, minLength: minPieceLength, foldsFrom: source.from }
  let rejected = 1
  let cost = 0
  for (let pieceCount = 1; ;) {
    const piece = foldFences(lines, request)
    cost += costOf(piece)
    if (cost > maxCost) return { ok: false, line: request.from + 1, pieceCount }
    const nodes = parsePlain(piece) ?? parse(piece.text)
    const noFence = piece.folds.find((fold) => !isFence(nodes, fold.pieceLine))
    if (noFence !== undefined) {
      request = { ...request, foldsFrom: noFence.openLine + rejected }
      rejected *= 2
    } else if (piece.end !== undefined && !endsWithBlock(nodes, piece)) {
      request = { ...request, minLength: piece.text.length * 2 }
    } else {
      if (piece.end !== undefined) nodes.pop()
      unfold(nodes, piece, source)
      for (const node of nodes) children.push(node)
      if (piece.end === undefined) return { ok: true, root: { type: 'root', children }, pieceCount }
      request = { from: piece.end, minLength: minPieceLength, foldsFrom: piece.end }
      rejected = 1
      pieceCount += 1
    }
  }
}

/**
 * The most time that the parser may take, in about 0.1 µs: the square of the number of lines, punctuation characters and
 * steps of indentation. All markup is made of these. Lists that open on the line of another list cost several times as
 * much.
 */
function costOf({ text, lines, folds }: Piece): number {
  const marks = countOf(text, /[!-/:-@[-`{-~\t]| {2}/g) + 4 * countOf(text, /[-+*.)] +(?=[-+*\d])/g)
  const folded = folds.reduce((sum, { openLine, closeLine }) => sum + closeLine - openLine, 0)
  return (lines.length + marks) ** 2 + text.length * 40 + folded + 2000
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Whether a fence of two lines begins there, which is what is left of a folded one. */
function isFence(nodes: readonly RootContent[], line: number): boolean {
  const node = nodes.find(({ position }) => position?.start.line === line + 1)
  return node?.type === 'code' && node.position?.start.column === 1 && node.position.end.line === line + 2
}

function endsWithBlock(nodes: readonly RootContent[], { lines }: Piece): boolean {
  const start = nodes.at(-1)?.position?.start
  return start?.line === lines.length && start.column === 1
}

/** Puts the content of fences back, and every position to where it is in the spec. */
function unfold(nodes: readonly RootContent[], piece: Piece, { lines, starts }: Source): void {
  const pieceStarts = startsOf(piece.lines.map((line) => lines[line] ?? ''))
  const folds = new Map(piece.folds.map((fold) => [fold.openLine + 1, fold]))
  const open: Nodes[] = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const point of [node.position?.start, node.position?.end]) {
      if (point === undefined) continue
      const line = piece.lines[point.line - 1] ?? 0
      point.offset = (starts[line] ?? 0) + (point.offset ?? 0) - (pieceStarts[point.line - 1] ?? 0)
      point.line = line + 1
    }
    if ('children' in node) for (const child of node.children) open.push(child)
  }
  for (const node of nodes) {
    const fold = folds.get(node.position?.start.line ?? 0)
    if (fold !== undefined && node.type === 'code')
      node.value = lines.slice(fold.openLine + 1, fold.closeLine).join('\n')
  }
}

function startsOf(lines: readonly string[]): readonly number[] {
  let offset = 0
  return lines.map((line) => {
    const start = offset
    offset += line.length + 1
    return start
  })
}

function labelsOf(root: Root): Labels {
  const links: string[] = []
  const footnotes: string[] = []
  const open: Nodes[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition') links.push(node.identifier.toUpperCase())
    if (node.type === 'footnoteDefinition') footnotes.push(node.identifier.toUpperCase())
    if ('children' in node) for (const child of node.children) open.push(child)
  }
  return { links, footnotes }
}

/** What references may point to although it is defined elsewhere, as the parser writes labels: in upper case. */
interface Labels {
  readonly links: readonly string[]
  readonly footnotes: readonly string[]
}

type Constructs = NonNullable<NonNullable<Data['micromarkExtensions']>[number]['text']>
type Construct = Extract<Constructs[number], { readonly tokenize: unknown }>

type Parse = (markdown: string) => RootContent[]

/** Sets remark up once for many texts: that costs as much as parsing a small spec. */
export function createParser(labels?: Labels): Parse {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withoutBareLinks)
    .use(labels === undefined ? [] : [[withLabels, labels]])
    .freeze()
  return (markdown) => processor.parse(markdown).children
}

/** Looking for `www.` and `@` in all text takes as long as the rest of the parser, and no spec depends on it. */
function withoutBareLinks(this: Processor): void {
  const data = this.data()
  const disable = { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] }
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable }]
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }))
}

/** Adds labels to those that the parser found itself, right before it looks one up. */
function withLabels(this: Processor, { links, footnotes }: Labels): void {
  const data = this.data()
  const informed = new WeakSet()
  const inform: Construct = {
    tokenize(_effects, _ok, nok) {
      if (!informed.has(this.parser)) {
        informed.add(this.parser)
        this.parser.defined.push(...links)
        this.parser.gfmFootnotes = [...(this.parser.gfmFootnotes ?? []), ...footnotes]
      }
      return nok
    },
  }
  const opening = '['.charCodeAt(0)
  const closing = ']'.charCodeAt(0)
  const text = { [opening]: inform, [closing]: inform }
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text }]
}
