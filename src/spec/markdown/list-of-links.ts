import type { ListItem, PhrasingContent, RootContent } from 'mdast'
import { readSource } from '../read-source.ts'

/**
 * The addresses, without what is behind `#`, of a page that is a list of links: headings, one paragraph at most, and
 * lists whose items all begin with a link. `undefined` for any other page.
 */
export function linksOfList(text: string): readonly string[] | undefined {
  const nodes = readSource(text, () => {})?.root.children ?? []
  const rest = nodes.filter(({ type }) => type !== 'heading')
  const items = rest.flatMap((node) => (node.type === 'list' ? node.children : []))
  const links = items.flatMap((item) => linkBeginning(item) ?? [])
  const isList = rest.filter(({ type }) => type !== 'list').length <= 1 && links.length === items.length
  return isList ? links : undefined
}

function linkBeginning({ checked, children: [first] }: ListItem): string | undefined {
  let node: RootContent | PhrasingContent | undefined = first
  while (node?.type === 'paragraph' || node?.type === 'strong' || node?.type === 'emphasis') node = node.children[0]
  return node?.type === 'link' && typeof checked !== 'boolean' ? node.url.replace(/#.*$/, '') : undefined
}
