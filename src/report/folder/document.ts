import { posix } from 'node:path'
import remarkRehype, { type Options } from 'remark-rehype'
import { unified } from 'unified'
import { parseMarkdown } from '../../spec/markdown/parse-markdown.ts'
import { isTextSpec } from '../../system/spec-endings.ts'
import type { SpecRecord } from '../data/spec-record.ts'

export type Part =
  | string
  | {
      readonly tag: string
      readonly line?: number
      readonly attributes?: Readonly<Record<string, string>>
      readonly parts: readonly Part[]
    }

export interface Section {
  /** Absent for text above the first heading, and for a title that the page already shows. */
  readonly heading?: readonly Part[]
  readonly depth: number
  readonly line: number
  readonly parts: readonly Part[]
}

export interface SpecDocument {
  readonly file?: string
  readonly sections: readonly Section[]
}

export interface ShownSpec extends Omit<SpecRecord, 'sources'> {
  readonly documents: readonly SpecDocument[]
}

/** The shown document neither executes nor loads anything. @param toRoot path from the report to the suite root */
export function showSpec({ sources, ...record }: SpecRecord, toRoot: string): ShownSpec {
  const documents = sources.map(({ file, text }) => {
    const path = file ?? record.spec
    const steps = record.steps.filter((step) => step.file === file && step.line !== undefined)
    const isTold = (title: string, line: number): boolean =>
      title === record.title && !steps.some((step) => step.line === line)
    const sections = isTextSpec(path)
      ? sectionsOfText(text, steps)
      : sectionsOf(text, { base: posix.join(toRoot, posix.dirname(path)), isTold })
    return { ...(file !== undefined && { file }), sections }
  })
  return { ...record, documents }
}

interface SectionsContext {
  readonly base: string
  /** Whether the page already shows this heading. If so, a heading at the start of the document is left out. */
  isTold(text: string, line: number): boolean
}

export function sectionsOf(markdown: string, { base, isTold }: SectionsContext): readonly Section[] {
  const parsed = parseMarkdown(markdown)
  if (!parsed.ok) return [{ depth: 0, line: 1, parts: [preformatted([markdown])] }]
  const sections: Section[] = []
  const above: number[] = []
  let section: Section & { parts: Part[] } = { depth: 0, line: 1, parts: [] }
  for (const node of toTree.runSync(parsed.root).children) {
    const parts = safeTree(node, base)
    if (node.type !== 'element' || !/^h[1-6]$/.test(node.tagName)) {
      section.parts.push(...parts)
      continue
    }
    const isFirst = sections.length === 0 && section.parts.every((part) => typeof part === 'string')
    const heading = parts.flatMap((part) => (typeof part === 'string' ? [] : part.parts))
    const line = startLine(node) ?? 1
    sections.push(section)
    if (isFirst && isTold(heading.map(partText).join('').trim(), line)) {
      section = { depth: 0, line, parts: [] }
      continue
    }
    const level = Number(node.tagName.slice(1))
    while ((above.at(-1) ?? 0) >= level) above.pop()
    section = { heading, depth: above.length, line, parts: [] }
    above.push(level)
  }
  return [...sections, section]
}

function sectionsOfText(text: string, steps: SpecRecord['steps']): readonly Section[] {
  const lines = text.split(/\r\n|\r|\n/)
  const titles = new Map(steps.map(({ line = 1, titles: all }) => [line, all.at(-1) ?? '']))
  const starts = [...titles.keys()].toSorted((one, other) => one - other)
  const codeIn = (from: number, end: number | undefined): readonly Part[] => {
    const code = lines.slice(from, end === undefined ? undefined : end - 1).join('\n')
    const shown = code.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
    return shown === '' ? [] : [{ tag: 'div', attributes: { class: 'block' }, parts: [preformatted([shown])] }]
  }
  return [
    { depth: 0, line: 1, parts: codeIn(0, starts[0]) },
    ...starts.map((line, index) => ({
      heading: [titles.get(line) ?? ''],
      depth: 0,
      line,
      parts: codeIn(line, starts[index + 1]),
    })),
  ]
}

function preformatted(parts: readonly Part[]): Part {
  return { tag: 'pre', attributes: { tabindex: '0' }, parts: [{ tag: 'code', parts }] }
}

type Handled = ReturnType<NonNullable<NonNullable<Options['handlers']>['code']>>
type Element = Extract<Handled, { readonly type: 'element' }>
type Node = Element['children'][number] | { readonly type: 'doctype'; readonly position?: Element['position'] }

const element = (tagName: string, properties: Element['properties'], ...children: Element['children']): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
})
const text = (value: string): { readonly type: 'text'; readonly value: string } => ({ type: 'text', value })

const handlers: Options['handlers'] = {
  html: (_state, { value }: { readonly value: string }) => element('code', { className: ['raw'] }, text(value)),
  // Show images as links, because a report must not load anything from elsewhere.
  image: (_state, { alt, url }: { readonly alt?: string | null; readonly url: string }) =>
    element('a', { href: url }, text(`🖼 ${alt ?? url}`)),
  imageReference: (_state, { alt }: { readonly alt?: string | null }) => element('em', {}, text(alt ?? '')),
  code: (_state, node: { readonly lang?: string | null; readonly meta?: string | null; readonly value: string }) => {
    const info = [node.lang, node.meta].filter(Boolean).join(' ')
    const head = info === '' ? [] : [element('div', { className: ['info'] }, text(info))]
    return element('div', { className: ['block'] }, ...head, element('pre', {}, element('code', {}, text(node.value))))
  },
}

const toTree = unified()
  .use(remarkRehype, { handlers, footnoteLabelTagName: 'strong', footnoteBackContent: '' })
  .freeze()

/** Keeps only harmless attributes. Drops checkboxes, because nobody can tick them here. */
function safeTree(node: Node, base: string): readonly Part[] {
  if (node.type === 'text') return [node.value]
  if (node.type !== 'element' || node.tagName === 'input') return []
  const { tagName: tag, properties, children } = node
  const { className, start, align } = properties
  const href = typeof properties.href === 'string' ? safeHref(properties.href, base) : undefined
  const attributes = {
    ...(Array.isArray(className) && { class: className.join(' ') }),
    ...(href !== undefined && { href }),
    ...(start != null && { start: String(start) }),
    ...(align != null && { align: String(align) }),
    // Make scrolling elements reachable by keyboard.
    ...((tag === 'pre' || tag === 'table') && { tabindex: '0' }),
  }
  const line = tag === 'li' ? startLine(node) : undefined
  return [
    { tag, ...(line !== undefined && { line }), attributes, parts: children.flatMap((child) => safeTree(child, base)) },
  ]
}

/** Allows only links to other pages: a link such as `#top` would lead to a part of the report. */
function safeHref(href: string, base: string): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  // Refuse links to other hosts, and links with other schemes, even if they are disguised.
  if (/^[^/?#]*:|^[/\\]|^#|[\\\u0000-\u0020]/.test(href)) return undefined
  return posix.join(base, href)
}

function startLine(node: Node): number | undefined {
  return node.position?.start.line
}

function partText(part: Part): string {
  return typeof part === 'string' ? part : part.parts.map(partText).join('')
}
