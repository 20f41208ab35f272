import type { List, ListItem, Paragraph, RootContent } from 'mdast'
import type { Section } from '../../sections/build-sections.ts'
import { placeOf } from '../../markdown/places.ts'
import type { Check, Place } from '../../spec.ts'
import { kindOfName, labelOf, linesOf, type LabelKind, type TextLine } from './labels.ts'

type Expectation = Place & Pick<Check, 'text'>

/**
 * What a scenario expects, in the order of the document: what stands below `Expected Results` and the like, `expect:` in
 * its steps, and `- [ ]` items.
 */
export function readExpectations(section: Section): readonly (Check & Place)[] {
  const inParts = section.children.flatMap(({ title, nodes }) => within(nodes, kindOfName(title)))
  return [...within(section.nodes, 'other'), ...inParts].map((found, index) => ({ n: index + 1, ...found }))
}

/** Expectations among nodes. @param given what the nodes are, up to the first label */
function within(nodes: readonly RootContent[], given: LabelKind): readonly Expectation[] {
  const found: Expectation[] = []
  let kind = given
  for (const node of nodes) {
    if (node.type === 'paragraph') {
      const read = readParagraph(node, kind)
      found.push(...read.found)
      kind = read.kind
    } else if (node.type === 'list') found.push(...node.children.flatMap((item) => readItem(item, kind)))
    else if (node.type === 'blockquote') found.push(...within(node.children as RootContent[], kind)) // the same nodes
  }
  return found
}

/** Each label says what the lines and lists behind it are. */
function readParagraph(
  paragraph: Paragraph,
  given: LabelKind,
): { readonly found: readonly Expectation[]; readonly kind: LabelKind } {
  const { column } = placeOf(paragraph)
  const found: { line: number; column: number; text: string }[] = []
  let kind = given
  let isOpen = false
  for (const line of linesOf(paragraph)) {
    const label = labelOf(line)
    if (label !== undefined) kind = label.kind
    const text = label === undefined ? line.text : label.rest
    const last = found.at(-1)
    if (kind !== 'expected') isOpen = false
    else if (label === undefined && isOpen && last !== undefined) last.text += ` ${text}`
    else if (text !== '') {
      found.push({ line: line.line, column, text })
      isOpen = true
    }
  }
  return { found, kind }
}

function readItem(item: ListItem, kind: LabelKind): readonly Expectation[] {
  const [head, ...rest] = item.children
  const nested = head?.type === 'paragraph' ? rest : item.children
  const lines = head?.type === 'paragraph' ? linesOf(head) : []
  const [first] = lines
  const place = placeOf(item)
  if (kind === 'expected' || typeof item.checked === 'boolean') {
    const text = [joined(lines), ...nested.flatMap(textsIn)].filter((part) => part !== '').join('; ')
    const label = first && labelOf(first)
    if (label?.kind !== 'expected') return text === '' ? [] : [{ ...place, text }]
  }
  const own = head?.type === 'paragraph' ? readParagraph(head, 'steps') : { found: [], kind: 'steps' as const } // a literal
  const isLabel = first !== undefined && labelOf(first) !== undefined && first.line === lines.at(-1)?.line
  const inside = within(nested as RootContent[], isLabel ? own.kind : 'steps') // block content of an item
  return [...own.found.map((found) => (found.line === place.line ? { ...found, ...place } : found)), ...inside]
}

function joined(lines: readonly TextLine[]): string {
  return lines
    .map(({ text }) => text)
    .join(' ')
    .trim()
}

/** The texts of the items of nested lists. */
function textsIn(node: ListItem['children'][number]): readonly string[] {
  if (node.type === 'paragraph') return [joined(linesOf(node))]
  return node.type === 'list' ? itemsOf(node).flatMap(textsIn) : []
}

function itemsOf({ children }: List): readonly ListItem['children'][number][] {
  return children.flatMap((item) => item.children)
}
