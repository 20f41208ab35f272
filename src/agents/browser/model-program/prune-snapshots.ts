import type { ModelMessage, ToolResultPart } from 'ai'

type Output = ToolResultPart['output']

/** If the snapshots in a conversation have more characters than this, old snapshots are removed. */
const budgetCharacters = 40_000
const keptCount = 2
const imageCharacters = 5_000

/** Removes old snapshots and images, but rarely: each removal makes the provider's cache of a conversation useless. */
export function createPruner(): (messages: readonly ModelMessage[]) => ModelMessage[] {
  const pruned = new Set<string>()
  return (messages) => {
    const results = messages.flatMap(({ role, content }) =>
      role === 'tool' ? content.filter((part) => part.type === 'tool-result') : [],
    )
    const live = results.filter(({ toolCallId, output }) => !pruned.has(toolCallId) && bulk(output))
    const total = live.reduce((sum, { output }) => sum + bulk(output), 0)
    if (total > budgetCharacters) for (const { toolCallId } of live.slice(0, -keptCount)) pruned.add(toolCallId)
    return messages.map((message) => {
      if (message.role !== 'tool') return message
      const content = message.content.map((part) =>
        part.type === 'tool-result' && pruned.has(part.toolCallId) ? { ...part, output: lean(part.output) } : part,
      )
      return { ...message, content }
    })
  }
}

const snapshots = /```yaml\n[\s\S]*?\n```/g

/** The texts of an output, with `undefined` for each image. */
function outputTexts(output: Output): readonly (string | undefined)[] {
  if (output.type === 'text') return [output.value]
  return output.type === 'content' ? output.value.map((part) => (part.type === 'text' ? part.text : undefined)) : []
}

function bulk(output: Output): number {
  const sizeOf = (text: string): number => (text.match(snapshots) ?? []).join('').length
  return outputTexts(output).reduce((sum, text) => sum + (text === undefined ? imageCharacters : sizeOf(text)), 0)
}

function lean(output: Output): Output {
  if (output.type !== 'text' && output.type !== 'content') return output
  const text = outputTexts(output)
    .map((part) => part ?? '(old image, taken out)')
    .join('\n')
  return { type: 'text', value: text.replace(snapshots, '(old snapshot, taken out)') }
}
