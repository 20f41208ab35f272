/** Parse time grows faster than the number of lines: some thousand lines take a second. */
const maxLines = 20_000
const maxBytes = 1024 * 1024

/** The problem of a spec with too many bytes or lines. Bytes that are not yet decoded are not split into lines. */
export function whyTooLarge(text: string | Uint8Array): string | undefined {
  const isText = typeof text === 'string'
  const bytes = isText ? Buffer.byteLength(text) : text.length
  if (bytes > maxBytes) return 'The spec is larger than 1 MiB. Split it into several files.'
  const lineCount = isText ? text.split('\n', maxLines + 2).length : 0
  return lineCount > maxLines + 1 ? 'The spec has more than 20,000 lines. Split it into several files.' : undefined
}
