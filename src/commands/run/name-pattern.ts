/**
 * The pattern of `-t` for either Vitest: 4 joins the titles of a test with a blank, 5 with ` > `. A blank inside brackets
 * stands for itself.
 */
export function namePattern(pattern: string): string {
  return pattern.replaceAll(/(\[(?:\\.|[^\]\\])*\])| > | /g, (_match, brackets?: string) => brackets ?? '(?: > | )')
}
