import type { Block, FrontMatter, Place } from './spec.ts'

// What the format has and this version cannot execute. Each is reported, never passed over; delete an entry here once
// the executor can do it.

const attributes = ['background', 'wait', 'stream', 'file'] as const

const frontMatter: Readonly<Record<string, (values: FrontMatter) => boolean>> = {
  agent: ({ agent }) => agent === 'browser',
  watch: ({ watch }) => watch.length > 0,
}

export interface Unsupported {
  readonly place: Place
  readonly message: string
}

/** Everything in a block that cannot be executed yet. */
export function findUnsupportedInBlock(block: Block): readonly Unsupported[] {
  const { line, column } = block
  const found = attributes
    .filter((name) => block.attributes[name] !== undefined)
    .map((name) => ({ place: { line, column }, message: message(`The attribute \`${name}\``) }))
  return found
}

/** Keys of the front matter whose value asks for what cannot be done yet. */
export function findUnsupportedKeys(
  values: FrontMatter,
): readonly { readonly key: string; readonly message: string }[] {
  return Object.entries(frontMatter)
    .filter(([, isUsed]) => isUsed(values))
    .map(([key]) => ({ key, message: message(`This value of \`${key}\``) }))
}

function message(what: string): string {
  return `${what} is not supported yet. Take it out or leave this part to a later version.`
}
