import { isNearly } from '../../../system/text/did-you-mean.ts'
import type { RootContent, ListItem, Paragraph, PhrasingContent } from 'mdast'
import { withChildren, type Outline, type Section } from '../../sections/build-sections.ts'
import { oneLine, placeOf } from '../../markdown/positions-and-placeholders.ts'
import type { Check, Place } from '../../spec.ts'
import type { Judged } from '../scenarios-of-dialects.ts'

export interface PlannedScenario {
  readonly section: Section
  readonly above: readonly Section[]
}

/** Scenarios are leaf headings with steps, and leaf headings numbered like `1.2` below a group `1`. */
export function scenariosIn(sections: readonly Section[], above: readonly Section[] = []): readonly PlannedScenario[] {
  return sections.flatMap((section): readonly PlannedScenario[] => {
    const below = scenariosIn(section.children, [...above, section])
    if (below.length > 0) return below
    if (isOverview(section)) return []
    return hasSteps(section) || isNumberedBelow(section, above.at(-1)) ? [{ section, above }] : []
  })
}

function isOverview({ title }: Section): boolean {
  return /^application overview$/i.test(title)
}

/** A plan has steps, expectations, and a typical heading or label. */
export function isPlan({ preamble, sections }: Outline): boolean {
  const scenarios = scenariosIn(sections)
  const isOne = ({ section }: PlannedScenario): boolean => hasSteps(section) && readExpectations(section).length > 0
  if (!scenarios.some(isOne)) return false
  const all = withChildren(sections)
  if (all.some(isOverview)) return true
  if ([preamble, ...all.map(({ nodes }) => nodes)].some((nodes) => seedLineOf(nodes) !== undefined)) return true
  const isNumbered = scenarios.every(({ section, above }) => isNumberedBelow(section, above.at(-1)))
  return isNumbered && all.some(({ title }) => /^test scenarios$/i.test(title))
}

export function seedOf(nodes: readonly RootContent[]): string | undefined {
  const rest = seedLineOf(nodes)?.replaceAll('`', '').trim() ?? ''
  return /^[^\s,;()]+/.exec(rest)?.[0]
}

function seedLineOf(nodes: readonly RootContent[]): string | undefined {
  return labelsIn(nodes).find(({ kind, rest }) => kind === 'seed' && rest !== '')?.rest
}

/** In a list, only `- Steps:` alone is a label: `- Steps: count them` can describe a feature. */
function hasSteps({ nodes, children }: Section): boolean {
  return (
    labelsIn(nodes).some(({ kind, rest, isItem }) => kind === 'steps' && (rest === '' || !isItem)) ||
    children.some(({ title }) => kindOfName(title) === 'steps')
  )
}

function labelsIn(nodes: readonly RootContent[], isItem = false): readonly (Label & { readonly isItem: boolean })[] {
  return nodes.flatMap((node) => {
    if (node.type === 'list') return node.children.flatMap(({ children }) => labelsIn(children.slice(0, 1), true))
    if (node.type !== 'paragraph') return []
    return textLines(node).flatMap((line) => {
      const label = labelOf(line)
      return label === undefined ? [] : [{ ...label, isItem }]
    })
  })
}

function isNumberedBelow({ title }: Section, group: Section | undefined): boolean {
  const [, ofGroup] = /^(\d+(?:\.\d+)*)\.?(?:\s|$)/.exec(group?.title ?? '') ?? []
  return (
    ofGroup !== undefined && new RegExp(`^${ofGroup.replaceAll('.', String.raw`\.`)}\\.\\d+\\.?(?:\\s|$)`).test(title)
  )
}

/** Expectations are texts below labels such as `Expected Results`, texts after `expect:`, and `- [ ]` items. */
export function readExpectations(section: Section): readonly (Check & Place)[] {
  const inParts = section.children.flatMap(({ title, nodes }) => within(nodes, kindOfName(title)))
  return [...within(section.nodes, 'other'), ...inParts].map((found, index) => ({ n: index + 1, ...found }))
}

/** @param given kind of the nodes above the first label, such as `expected` below a heading `Expected Results` */
function within(nodes: readonly RootContent[], given: LabelKind): readonly Judged[] {
  const found: Judged[] = []
  let kind = given
  for (const node of nodes) {
    if (node.type === 'paragraph') {
      const read = readParagraph(node, kind)
      found.push(...read.found)
      kind = read.kind
    } else if (node.type === 'list') found.push(...node.children.flatMap((item) => readItem(item, kind)))
    else if (node.type === 'blockquote') found.push(...within(node.children as RootContent[], kind)) // a wider type
  }
  return found
}

function readParagraph(paragraph: Paragraph, given: LabelKind) {
  const { column } = placeOf(paragraph)
  const found: { line: number; column: number; text: string }[] = []
  let kind = given
  let isOpen = false
  for (const line of textLines(paragraph)) {
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

function readItem(item: ListItem, kind: LabelKind): readonly Judged[] {
  const [head, ...rest] = item.children
  const nested = head?.type === 'paragraph' ? rest : item.children
  const lines = head?.type === 'paragraph' ? textLines(head) : []
  const [first] = lines
  const place = placeOf(item)
  if (kind === 'expected' || typeof item.checked === 'boolean') {
    const text = [joined(lines), ...nested.flatMap(textsIn)].filter((part) => part !== '').join('; ')
    const label = first && labelOf(first)
    if (label?.kind !== 'expected') return text === '' ? [] : [{ ...place, text }]
  }
  const own = head?.type === 'paragraph' ? readParagraph(head, 'steps') : { found: [], kind: 'steps' as const }
  const isLabel = first !== undefined && labelOf(first) !== undefined && first.line === lines.at(-1)?.line
  const inside = within(nested as RootContent[], isLabel ? own.kind : 'steps') // a wider type
  return [...own.found.map((found) => (found.line === place.line ? { ...found, ...place } : found)), ...inside]
}

function joined(lines: readonly TextLine[]): string {
  return lines
    .map(({ text }) => text)
    .join(' ')
    .trim()
}

function textsIn(node: ListItem['children'][number]): readonly string[] {
  if (node.type === 'paragraph') return [joined(textLines(node))]
  return node.type === 'list' ? node.children.flatMap(({ children }) => children.flatMap(textsIn)) : []
}

type LabelKind = 'steps' | 'expected' | 'seed' | 'other'

interface Label {
  readonly kind: LabelKind
  readonly rest: string
}

const kinds: readonly (readonly [kind: LabelKind, names: RegExp])[] = [
  ['steps', /^(?:test )?steps(?: to (?:reproduce|follow|execute))?$/],
  [
    'expected',
    /^(?:expect|expects|expected(?: (?:results?|outcomes?|behaviou?rs?))?|post-?conditions?|success criteria|verify|verification|assertions?|acceptance criteria)$/,
  ],
  ['seed', /^seed(?: (?:file|test))?$/],
]

function kindOfName(name: string): LabelKind {
  const plain = name
    .toLowerCase()
    .replace(/\s*:\s*$/, '')
    .replace(/post condition/, 'postcondition')
    .trim()
  return kinds.find(([, names]) => names.test(plain))?.[0] ?? 'other'
}

/** The label that a line probably misspells: `Steps` for `**Setps:**`. `undefined` for other lines. */
export function nearLabel(line: string): string | undefined {
  const [, given = ''] = /^[\s>]*(?:\*\*|__)([\p{L} ]+?)\s*[:*_]/u.exec(line) ?? []
  if (kindOfName(given) !== 'other') return undefined
  const names = ['Steps', 'Expected Results', 'Expected Result']
  const name = names.find((one) => isNearly(given.toLowerCase(), one.toLowerCase()))
  return name && `label \`${name}\``
}

/** The label at the start of a line. A label without a colon or with an unknown name must be bold. */
function labelOf({ text, isBold }: TextLine): Label | undefined {
  const match = /^([\p{L}][\p{L} /-]{0,40}?)\s*(?::\s*(.*)|$)/u.exec(text)
  if (match === null) return undefined
  const [, name = '', rest] = match
  const kind = kindOfName(name)
  if (!isBold && (kind === 'other' || rest === undefined)) return undefined
  return { kind, rest: rest ?? '' }
}

interface TextLine {
  readonly line: number
  readonly text: string
  readonly isBold: boolean
}

function textLines({ children, position }: Paragraph): readonly TextLine[] {
  const first = position?.start.line ?? 1
  const lines = [{ text: '', isBold: false }]
  for (const node of children) {
    const [rest = '', ...more] = phraseText(node).split('\n')
    const last = lines.at(-1) ?? { text: '', isBold: false }
    lines.splice(-1, 1, {
      text: last.text + rest,
      isBold: last.isBold || (last.text.trim() === '' && node.type === 'strong'),
    })
    lines.push(...more.map((text) => ({ text, isBold: false })))
  }
  return lines.map(({ text, isBold }, index) => ({
    line: first + index,
    // Playwright indents `- expect:` too little, so markdown reads the bullet as text. Remove this bullet.
    text: oneLine(text).replace(/^[-*+] /, ''),
    isBold,
  }))
}

function phraseText(node: PhrasingContent): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return ''
  if (node.type === 'text') return node.value
  if ('value' in node) return node.value.replaceAll('\n', ' ')
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(phraseText).join('') : ''
}
