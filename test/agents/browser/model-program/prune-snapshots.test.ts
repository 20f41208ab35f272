import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { createPruner } from '../../../../src/agents/browser/model-program/prune-snapshots.ts'

const page = `### Page\n- Page URL: http://127.0.0.1/\n### Snapshot\n\`\`\`yaml\n${'- row\n'.repeat(2000)}\n\`\`\``

function turn(number: number): ModelMessage[] {
  const call = { toolCallId: `c${number}`, toolName: 'browser_click' }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { target: `e${number}` } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: page } }] },
  ]
}

/** Sizes of what is sent in a conversation of so many turns. */
function sizes(turns: number): readonly number[] {
  const prune = createPruner()
  return Array.from({ length: turns }, (_, count) => {
    const messages = Array.from({ length: count + 1 }, (_each, number) => turn(number)).flat()
    return JSON.stringify(prune(messages)).length
  })
}

test('a long conversation stays as long as its calls and a few pages', () => {
  const sent = sizes(60)
  expect(Math.max(...sent)).toBeLessThan(90_000)
  // What a turn leaves behind is its call and a line.
  expect((sent[59] ?? 0) - (sent[29] ?? 0)).toBeLessThan(30 * 500 + page.length * 2)
})

test('calls stay, the newest pages stay, and nothing changes until there is too much', () => {
  const prune = createPruner()
  const few = [...turn(1), ...turn(2)]
  expect(prune(few)).toEqual(few)
  const many = [...few, ...turn(3), ...turn(4), ...turn(5)]
  const pruned = prune(many)
  expect(pruned.filter(({ role }) => role === 'assistant')).toEqual(many.filter(({ role }) => role === 'assistant'))
  const texts = pruned.filter(({ role }) => role === 'tool').map((message) => JSON.stringify(message))
  expect(texts.map((text) => text.includes('- row'))).toEqual([false, false, false, true, true])
  expect(texts[0]).toContain('Page URL: http://127.0.0.1/')
  expect(texts[0]).toContain('(old snapshot, taken out)')
  // A page that came out stays out.
  expect(prune([...many, ...turn(6)]).slice(0, 6)).toEqual(pruned.slice(0, 6))
})

test('an image comes out as well', () => {
  const prune = createPruner()
  const image = { type: 'image-data' as const, data: 'x'.repeat(10), mediaType: 'image/jpeg' }
  const shot: ModelMessage = {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'shot',
        toolName: 'browser_take_screenshot',
        output: { type: 'content', value: [{ type: 'text', text: 'Saved.' }, image] },
      },
    ],
  }
  const pruned = prune([shot, ...turn(1), ...turn(2), ...turn(3), ...turn(4)])
  expect(JSON.stringify(pruned[0])).toContain('Saved.\\n(old image, taken out)')
})
