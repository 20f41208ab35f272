import { markup, type Html } from '../render/html.ts'

/** Text of ours in which code stands between backticks. */
export function inlineCode(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, index) => (index % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`))}`
}
