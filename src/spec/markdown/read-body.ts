import type { DirectiveComment } from '../blocks/attributes-and-directives.ts'
import { type Placeholders, inlineText, placeOf, advance } from './positions-and-placeholders.ts'
import { type Fence, readFence } from '../blocks/fence-languages.ts'
import type { Place } from '../spec.ts'
import type { Html, RootContent } from 'mdast'

export type BodyItem =
  | (Place & { readonly kind: 'prose' | 'comment' | 'break' })
  | (Place & { readonly kind: 'check'; readonly text: string })
  | (DirectiveComment & { readonly kind: 'directive' })
  | (Fence & { readonly kind: 'fence' })

export function readBody(
  nodes: readonly RootContent[],
  context: { readonly text: string; readonly placeholders?: Placeholders },
  container?: Fence['container'],
): readonly BodyItem[] {
  return nodes.flatMap((node): readonly BodyItem[] => {
    const place = placeOf(node)
    switch (node.type) {
      case 'code': {
        const fence = readFence(node, context)
        if (fence === undefined) return [{ kind: 'prose', ...place }]
        return [{ kind: 'fence', ...fence, ...(container && { container }) }]
      }
      case 'html':
        return readHtml(node)
      case 'thematicBreak':
        return [{ kind: 'break', ...place }]
      case 'listItem': {
        const [first] = node.children
        const text = first === undefined ? '' : inlineText(first, context.placeholders)
        return [
          ...(typeof node.checked === 'boolean' ? [{ kind: 'check', ...place, text } as const] : []),
          ...readBody(node.children, context, container),
        ]
      }
      case 'list':
        return readBody(node.children, context, container)
      case 'blockquote':
        return readBody(node.children, context, 'block quote')
      case 'footnoteDefinition':
        return readBody(node.children, context, 'footnote')
      case 'yaml':
      case 'definition':
        return []
      default:
        return [{ kind: 'prose', ...place }]
    }
  })
}

/** HTML tags without text count as a comment. */
function readHtml(node: Html): readonly BodyItem[] {
  let place = placeOf(node)
  const parts = node.value.split(/(<!--[^]*?(?:-->|$))/).map((text) => {
    const part = { text, ...place, isComment: text.startsWith('<!--') }
    place = advance(place, text)
    return part
  })
  const others = parts.filter(({ isComment, text }) => !isComment && text.trim() !== '')
  if (others.length === 0) return parts.filter(({ isComment }) => isComment).map(toItem)
  const hasText = others.some(({ text }) => text.replace(/<[^<>]*>/g, '').trim() !== '')
  return [{ kind: hasText ? 'prose' : 'comment', ...placeOf(node) }]
}

function toItem({ text, line, column }: Place & { readonly text: string }): BodyItem {
  const [head] = (text.endsWith('-->') && /^<!--\s*mdtest\s*:/i.exec(text)) || []
  if (head === undefined) return { kind: 'comment', line, column }
  const start = advance({ line, column }, head)
  return { kind: 'directive', line, column, text: text.slice(head.length, -'-->'.length), start }
}
