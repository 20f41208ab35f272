import { basename } from 'node:path'
import type { Heading, RootContent } from 'mdast'
import { inlineText, placeOf } from '../markdown/positions-and-placeholders.ts'
import type { Headed, Place, SpecLines } from '../spec.ts'
import { withoutSpecEnding } from '../../system/spec-endings.ts'

export interface Section extends Headed {
  readonly heading: Heading
  readonly nodes: readonly RootContent[]
  readonly children: readonly Section[]
}

export interface Outline {
  readonly preamble: readonly RootContent[]
  readonly sections: readonly Section[]
}

export function withChildren<T extends { readonly children: readonly T[] }>(sections: readonly T[]): readonly T[] {
  return sections.flatMap((section) => [section, ...withChildren(section.children)])
}

export function nodesOf({ preamble, sections }: Outline): readonly RootContent[] {
  return [...preamble, ...withChildren(sections).flatMap(({ heading, nodes }) => [heading, ...nodes])]
}

interface OpenSection extends Section {
  readonly nodes: RootContent[]
  readonly children: OpenSection[]
  endLine: number
}

/** Nests headings by their depth. A document may skip levels. */
export function buildSections(nodes: readonly RootContent[]): Outline {
  const preamble: RootContent[] = []
  const sections: OpenSection[] = []
  const open: OpenSection[] = []
  for (const node of nodes) {
    if (node.type === 'heading') {
      while ((open.at(-1)?.heading.depth ?? 0) >= node.depth) open.pop()
      const place = placeOf(node)
      const below = { nodes: [], children: [], endLine: place.line }
      const section: OpenSection = { heading: node, title: inlineText(node), ...place, ...below }
      ;(open.at(-1)?.children ?? sections).push(section)
      open.push(section)
    } else (open.at(-1)?.nodes ?? preamble).push(node)
    for (const section of open) section.endLine = node.position?.end.line ?? section.endLine
  }
  return { preamble, sections }
}

/** Empty if there is no text above the first heading, or if that text belongs to one of `sections`. */
export function preambleAbove({ preamble }: Outline, sections: readonly Pick<Place, 'line'>[]): readonly SpecLines[] {
  const { line = 1 } = preamble[0]?.position?.start ?? {}
  const { line: endLine } = preamble.at(-1)?.position?.end ?? {}
  return endLine === undefined || sections.some((section) => section.line <= line) ? [] : [{ line, endLine }]
}

/** The first H1, or else the title of the front matter, or else the name of the file. */
export function titleOf(
  { sections }: Outline,
  { file, title }: { readonly file: string; readonly title?: string | undefined },
): string {
  const heading = sections.find((section) => section.heading.depth === 1)?.title
  return heading || title || withoutSpecEnding(basename(file)) || basename(file)
}

export type UniqueTitle = (title: string) => string

/** Makes titles unique under one parent: the second of two equal titles gets ` (2)`. `known` are titles in use. */
export function createUniqueTitle(known: readonly string[] = []): UniqueTitle {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const unique = (title: string): string => {
    const name = title === '' ? 'Untitled' : title
    let count = counts.get(name) ?? 1
    let free = name
    while (taken.has(free)) free = `${name} (${++count})`
    counts.set(name, count)
    taken.add(free)
    return free
  }
  for (const title of known) unique(title)
  return unique
}
