import { bareText, shellSpans } from '../../system/text/shell-spans.ts'

/**
 * The command that a line leaves in the background: `node server.mjs` of `node server.mjs &`. `undefined` where the line
 * does something else besides.
 */
export function backgroundCommand(line: string): string | undefined {
  const spans = shellSpans(line)
  const end = spans.findLastIndex(({ kind, text }) => kind !== 'comment' && text.trim() !== '')
  if (spans[end]?.kind !== 'bare') return undefined
  const text = spans
    .slice(0, end + 1)
    .map((span) => span.text)
    .join('')
    .trimEnd()
  const command = /^([\s\S]*[^\\&|<>])&$/.exec(text)?.[1]?.trim()
  if (command === undefined) return undefined
  // What stands before another separator would not be in the background. `>&` and `&>` are none.
  const isOne = !/[;\n]|(?<![&<>])&(?![&>])/.test(bareText(command))
  return isOne ? command : undefined
}
