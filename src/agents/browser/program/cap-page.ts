/** Longest snapshot of a page that is shown, in UTF-16 code units. */
const maxSnapshot = 60_000
/** The same of all that a call gives. */
const maxOutput = 80_000

const way =
  'Look at a part: browser_find with a text, browser_snapshot with a target or a depth, or a narrower question.'

/** What a call in a browser gave, without what no model can take: some pages are larger than all that it may read. */
export function capPage(text: string): string {
  if (text.length <= maxSnapshot) return text
  const capped = text.replace(/```yaml\n([\s\S]*?)\n```/g, (whole, snapshot: string) =>
    snapshot.length <= maxSnapshot
      ? whole
      : `\`\`\`yaml\n${cut(snapshot, maxSnapshot)}\n\`\`\`\n${told(snapshot, maxSnapshot)}`,
  )
  return capped.length <= maxOutput ? capped : `${cut(capped, maxOutput)}\n${told(capped, maxOutput)}`
}

/** At the end of a line, where there is one. */
function cut(text: string, length: number): string {
  const end = text.lastIndexOf('\n', length)
  return text.slice(0, end > length / 2 ? end : length)
}

function told({ length }: string, shown: number): string {
  return `(${kilobytes(length)} kB, of which the first ${kilobytes(shown)} are shown. ${way})`
}

function kilobytes(length: number): number {
  return Math.round(length / 1000)
}
