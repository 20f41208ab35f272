import { posix } from 'node:path'
import rehypeStringify from 'rehype-stringify'
import remarkRehype, { type Options } from 'remark-rehype'
import { unified } from 'unified'
import { parseMarkdown } from '../../spec/markdown/parse-markdown.ts'
import { Html } from './html.ts'

const stringifier = unified().use(rehypeStringify).freeze()

/** Markup as a tree. */
export type Tree = Parameters<typeof stringifier.stringify>[0]
/** A node at the top of it, or below. */
export type TreeNode = Tree['children'][number]
/** An element. */
export type TreeElement = Extract<TreeNode, { readonly type: 'element' }>

/** What is written in HTML in a spec is shown as it is written. */
const handlers: Options['handlers'] = {
  html: (_state, node: { readonly value: string }) => element('code', ['raw'], [{ type: 'text', value: node.value }]),
  // A report loads nothing from elsewhere.
  image: (_state, node: { readonly alt?: string | null; readonly url: string }) =>
    link(node.url, `🖼 ${node.alt ?? node.url}`),
  imageReference: (_state, node: { readonly alt?: string | null }) => element('em', [], [text(node.alt ?? '')]),
  code: (_state, node: { readonly lang?: string | null; readonly meta?: string | null; readonly value: string }) => {
    const info = [node.lang, node.meta].filter(Boolean).join(' ')
    const code = element('pre', [], [element('code', [], [text(node.value)])])
    code.properties.tabIndex = 0
    return element('div', ['block'], [...(info === '' ? [] : [element('div', ['info'], [text(info)])]), code])
  },
}

const toTree = unified()
  .use(remarkRehype, { handlers, footnoteLabelTagName: 'strong', footnoteBackContent: '' })
  .freeze()

/**
 * Markdown as a tree of markup whose elements know their lines; nothing where the parser would take too long. Nothing in
 * it is executed or loaded.
 *
 * @param base path that relative links begin at, as seen from the report
 */
export function treeOf(markdown: string, base: string): Tree | undefined {
  const parsed = parseMarkdown(markdown)
  if (!parsed.ok) return undefined
  const tree = toTree.runSync(parsed.root)
  for (const node of tree.children) tame(node, base)
  return tree
}

/** Nodes of a tree as markup. */
export function toHtml(children: Tree['children']): Html {
  return new Html(stringifier.stringify({ type: 'root', children }))
}

/** An element with these classes. */
export function element(tagName: string, className: readonly string[], children: TreeElement['children']): TreeElement {
  return { type: 'element', tagName, properties: className.length > 0 ? { className: [...className] } : {}, children }
}

/** A text. */
export function text(value: string): Extract<TreeNode, { readonly type: 'text' }> {
  return { type: 'text', value }
}

/** The line of the markdown at which a node begins. */
export function startLineOf(node: TreeNode): number | undefined {
  return node.position?.start.line
}

/** What a node says, without its markup. */
export function textOf(node: TreeNode): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function link(url: string, label: string): TreeElement {
  const anchor = element('a', [], [text(label)])
  anchor.properties.href = url
  return anchor
}

function tame(node: TreeNode, base: string): void {
  if (node.type !== 'element') return
  const { properties, tagName } = node
  // They would be there once for each spec on the page.
  delete properties.id
  delete properties.ariaDescribedBy
  const href = typeof properties.href === 'string' ? safeHref(properties.href, base) : undefined
  if (href === undefined) delete properties.href
  else properties.href = href
  if (tagName === 'table') properties.tabIndex = 0
  // A check is marked with what became of it; a box that nobody can tick says nothing.
  if (tagName === 'li') removeBoxes(node)
  for (const child of node.children) tame(child, base)
}

/** Addresses that lead elsewhere; those inside of the page belong to the report. */
function safeHref(href: string, base: string): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  // A scheme, however it is disguised, or another host.
  if (/^[^/?#]*:|^[/\\]|^#|[\\\u0000-\u0020]/.test(href)) return undefined
  return posix.join(base, href)
}

function removeBoxes(item: TreeElement): void {
  for (const parent of [item, ...item.children]) {
    if (parent.type !== 'element') continue
    parent.children = parent.children.filter((child) => child.type !== 'element' || child.tagName !== 'input')
  }
}
