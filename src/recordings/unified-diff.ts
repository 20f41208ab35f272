import { createTwoFilesPatch } from 'diff'

/** What is other in a text, as lines; ends of lines do not count. */
export function unifiedDiff(
  { before, after }: { readonly before: string; readonly after: string },
  name: string,
): readonly string[] {
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3 })
  // The first line is a rule across the page.
  return patch.trimEnd().split(/\r?\n/).slice(1)
}
