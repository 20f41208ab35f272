/** What stands in an element: text is never markup. */
export type Child = Node | string | undefined

interface Attributes {
  readonly class?: string
  readonly [name: string]: string | undefined
}

/** An element with attributes and content. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** The element of the shell with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new TypeError(`The page has no element "${id}".`)
  return found
}
