/** Whether Vitest takes the text as a tag: no white space, none of `!*&|()`, which its filters use, and no comma. */
export function isTag(text: string): boolean {
  return /^[^\s!*&|(),]+$/.test(text)
}
