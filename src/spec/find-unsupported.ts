import type { FrontMatter } from './spec.ts'

// What the format has and this version cannot execute. Each is reported, never passed over; delete an entry here once
// the executor can do it.

const frontMatter: Readonly<Record<string, (values: FrontMatter) => boolean>> = {
  agent: ({ agent }) => agent === 'browser',
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
