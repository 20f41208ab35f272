/** A document of scrut as a spec: the front matter says so. */
export function adaptScrut(text: string): string {
  const [opening = ''] = /^---\r?\n/.exec(text) ?? []
  return opening === ''
    ? `---\ndialect: scrut\n---\n${text}`
    : `${opening}dialect: scrut\n${text.slice(opening.length)}`
}
