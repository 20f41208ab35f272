import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

/** Background colors of lines in a diff */
const colors = { '-': '#ffebe9', '+': '#dafbe1' }

/** An element of hast, whose types are not installed. */
interface Element {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: object
  readonly children?: readonly Element[]
}

const style = `
body { margin: 0; padding: 16px; background: #fff; color: #1f2328;
  font: 14px/1.5 -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif }
.box { border: 1px solid #d1d9e0; border-radius: 6px; width: 860px }
.head { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e }
.head b { color: #1f2328 } .head i { border: 1px solid #d1d9e0; border-radius: 99px; padding: 0 7px; font-style: normal }
.body { padding: 16px } h3 { margin: 0 0 16px; font-size: 1.25em } p { margin: 0 0 16px }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font: 85% ui-monospace, 'DejaVu Sans Mono', monospace }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: hidden } pre code { background: none; padding: 0 }
a { color: #0969da; text-decoration: underline } details { margin-bottom: 8px } summary { margin-bottom: 8px }`

/** Renders a comment (markdown with HTML) nearly as GitHub shows it. */
export function commentPage(markdown: string): string {
  const body = htmlOf(markdown).map(textOf).join('')
  // Debian's Chromium has no font for these characters.
  const signs = body
    .replaceAll('❌', '<b style="color: #d1242f">✖</b>')
    .replaceAll('✅', '<b style="color: #1a7f37">✔</b>')
  const head = '<b>github-actions</b> <i>bot</i> commented now'
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><div class="box"><div class="head">${head}</div><div class="body">${signs}</div></div>`
}

function htmlOf(markdown: string): readonly Element[] {
  const processor = unified().use(remarkParse).use(remarkGfm)
  const tree: Nodes = processor.parse(markdown)
  const root: object = unified()
    .use(remarkRehype, { allowDangerousHtml: true })
    .runSync(tree as never) // a root
  return (root as Element).children ?? [] // see above
}

function textOf({ type, tagName = '', value = '', properties = {}, children = [] }: Element): string {
  if (type === 'raw') return value
  if (type === 'text')
    return escape(value).replaceAll(
      /^([-+]).*$/gm,
      (line, sign: '+' | '-') => `<span style="background: ${colors[sign]}">${line}</span>`,
    )
  const attributes = Object.entries(properties).map(([name, text]) => ` ${name}="${escape(String(text))}"`)
  return `<${tagName}${attributes.join('')}>${children.map(textOf).join('')}</${tagName}>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
