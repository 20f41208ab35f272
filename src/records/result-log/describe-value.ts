const maxExcerptLength = 60

/** Renders a value for a message, for example `` `"passed"` (string) ``, cut to a short excerpt. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  const text = excerpt(JSON.stringify(value) ?? String(value))
  return `\`${text}\` (${Array.isArray(value) ? 'list' : typeof value === 'object' ? 'mapping' : typeof value})`
}

function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, maxExcerptLength * 2))
  return characters.length <= maxExcerptLength ? text : `${characters.slice(0, maxExcerptLength).join('')}…`
}
