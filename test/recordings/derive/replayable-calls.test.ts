import { expect, it } from 'vitest'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { withReplayableCalls } from '../../../src/recordings/record-scenario.ts'
import { writeBlocks } from '../../../src/recordings/derive/write-blocks.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'

const servers = {
  db: { command: 'node', args: ['db.mjs'], replayable: ['query', 'insert'] },
  'my-web': { type: 'http', url: 'http://127.0.0.1:1/mcp', replayable: ['look'] },
  other: { command: 'other' },
} as const // literal types

function call(server: string, tool: string, input: Record<string, unknown>, output = 'ok', isError = false): AgentCall {
  return { kind: 'mcp', step: '1-a', server, tool, input, output, isError }
}

const context = { servers, directory: '/w' }

it('takes calls of declared tools for commands, and leaves all others', () => {
  const calls = withReplayableCalls(
    [
      call('db', 'query', { sql: 'select 1' }, '1'),
      call('db', 'query', {}, 'no such table', true),
      call('my_web', 'look', {}),
      call('db', 'drop', {}),
      call('other', 'query', {}),
      call('lost', 'query', {}),
    ],
    context,
  )
  expect(calls).toMatchObject([
    { kind: 'command', command: 'query {"sql":"select 1"}', exitCode: 0, output: '1\n', server: 'db', cwd: '/w' },
    { kind: 'command', command: 'query', exitCode: 1, server: 'db' },
    { kind: 'command', command: 'look', server: 'my-web', isElsewhere: true },
    { kind: 'mcp', tool: 'drop' },
    { kind: 'mcp', server: 'other' },
    { kind: 'mcp', server: 'lost' },
  ])
})

it('says of a tool that is not declared how it is', () => {
  const calls = withReplayableCalls([call('db', 'drop', {}, 'gone')], context)
  const steps = [{ step: '1-a', quotes: [] }]
  const { obstacles } = derivePieces({ steps, calls, directory: '/w', roots: ['/w'], known: '' })
  expect(obstacles).toMatchObject([
    { code: 'NEEDS_THE_MODEL', why: expect.stringContaining('say `replayable: [drop]` of the server') },
  ])
})

it('names values that one call brings up and another uses', () => {
  const calls = withReplayableCalls(
    [
      call('db', 'insert', { name: 'Ann' }, 'row r-4711a, number 98765'),
      call(
        'db',
        'query',
        { id: 'r-4711a', text: "it's $(echo r-4711a) `r-4711a`", number: 98_765, path: '/w/a' },
        'Ann',
      ),
    ],
    context,
  )
  const steps = [{ step: '1-a', quotes: ['Ann'] }]
  const { steps: derived } = derivePieces({ steps, calls, directory: '/w', roots: ['/w'], known: '' })
  const pieces = derived[0]?.pieces ?? []
  expect(writeBlocks(pieces.map((piece) => ({ piece, expected: [] })))).toBe(
    `\`\`\`mcp server=db\n$ insert {"name":"Ann"}\n$ query {"id":"\${value1}","text":"it's $(echo \${value1}) \`\${value1}\`","number":"$value2","path":"./a"}\n\`\`\``,
  )
})
