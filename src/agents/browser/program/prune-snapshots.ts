import type { ModelMessage, ToolResultPart } from 'ai'

type Output = ToolResultPart['output']

/** Characters of snapshots that may be in a conversation before old ones are taken out. */
const budgetCharacters = 40_000
/** As many of the newest stay. */
const kept = 2
/** What an image counts for. */
const imageCharacters = 5_000

/**
 * Takes what is bulky out of old tool results: snapshots of pages and images; calls and words stay. Nothing happens until
 * there is a lot of it, then all but the newest goes at once: in between, the beginning of the conversation stays the
 * same, and with it the provider's cache.
 */
export function createPruner(): (messages: readonly ModelMessage[]) => ModelMessage[] {
  const pruned = new Set<string>()
  return (messages) => {
    const live = messages.flatMap(resultsIn).filter(({ toolCallId, output }) => !pruned.has(toolCallId) && bulk(output))
    const total = live.reduce((sum, { output }) => sum + bulk(output), 0)
    if (total > budgetCharacters) for (const { toolCallId } of live.slice(0, -kept)) pruned.add(toolCallId)
    return messages.map((message) => (message.role === 'tool' ? withoutBulk(message, pruned) : message))
  }
}

function resultsIn(message: ModelMessage): readonly ToolResultPart[] {
  return message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : []
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function withoutBulk(message: ToolMessage, pruned: ReadonlySet<string>): ToolMessage {
  const content = message.content.map((part) =>
    part.type === 'tool-result' && pruned.has(part.toolCallId) ? { ...part, output: lean(part.output) } : part,
  )
  return { ...message, content }
}

const snapshots = /```yaml\n[\s\S]*?\n```/g

function bulk(output: Output): number {
  if (output.type === 'text') return snapshotCharacters(output.value)
  if (output.type !== 'content') return 0
  return output.value.reduce(
    (sum, part) => sum + (part.type === 'text' ? snapshotCharacters(part.text) : imageCharacters),
    0,
  )
}

function snapshotCharacters(text: string): number {
  return (text.match(snapshots) ?? []).reduce((sum, snapshot) => sum + snapshot.length, 0)
}

function lean(output: Output): Output {
  if (output.type !== 'text' && output.type !== 'content') return output
  const text =
    output.type === 'text'
      ? output.value
      : output.value.map((part) => (part.type === 'text' ? part.text : '(old image, taken out)')).join('\n')
  return { type: 'text', value: text.replace(snapshots, '(old snapshot, taken out)') }
}
