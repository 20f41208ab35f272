/** What Vitest takes as a tag: no white space, none of `!*&|()`, which its filters use, and no comma. */
export const tagPattern = /^[^\s!*&|(),]+$/

export function isTag(text: string): boolean {
  return tagPattern.test(text)
}
