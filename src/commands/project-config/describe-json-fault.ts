import { messageOf } from '../../system/error-facts.ts'

/** What people write that is no JSON, outside of texts: each with what to do. */
const mistakes: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/,(?=\s*[}\]])/, 'JSON allows no comma after the last entry: remove it'],
  [/\/[/*]/, 'JSON has no comments: remove this one'],
  [/'/, 'JSON takes double quotes alone: write `"`'],
  [/(?<=[}\]"\w]\s*\n\s*)"/, 'a comma is missing before this'],
]

/** Where and why a text is no JSON: `LINE:COLUMN: words`; what the parser says where that is not known. */
export function describeJsonFault(text: string, error: unknown): string {
  // Texts keep their length and lose what looks like syntax.
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"/g, (quoted) => `"${'_'.repeat(quoted.length - 2)}"`)
  for (const [pattern, words] of mistakes) {
    const found = pattern.exec(bare)
    if (found !== null) return `${placeAt(text, found.index)}: ${words}`
  }
  const message = messageOf(error)
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? message : `${placeAt(text, Number(position))}: ${message}`
}

function placeAt(text: string, index: number): string {
  const before = text.slice(0, index).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
