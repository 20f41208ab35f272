import { expect, it } from 'vitest'
import { readBrowserDone } from '../../../src/agents/browser/browser-agent.ts'
import type { DoneCall } from '../../../src/agents/agent.ts'
import { repeatableCalls } from '../../../src/host/evidence/product-activity.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'

const paths = { cwd: '/w', specFile: '/w/a.test.md', logFile: '/w/a.logs/1.log.md' }

function ran(command: string, more: Partial<Extract<DoneCall, { kind: 'command' }>> = {}): DoneCall {
  const base = { kind: 'command', cwd: '/w', exitCode: 0, output: 'so\n', isBackground: false } as const // a literal kind
  return { ...base, command, ...more }
}

it.each<[string, DoneCall, Partial<AgentCall> | undefined]>([
  ['a command', ran('node x'), { kind: 'command', command: 'node x', isLook: false }],
  ['a variable for later ones', ran('ID=7'), { kind: 'command', command: 'ID=7', isLook: false }],
  ['no echo of own words', ran('echo "done ID=7"'), undefined],
  ['what was left running', ran('node s', { isBackground: true }), { kind: 'service', command: 'node s' }],
  ['no look at the spec', ran('cat a.test.md'), undefined],
  [
    'what had to be ended',
    { kind: 'unfinished', command: 'node s', isEnded: true },
    { kind: 'unrepeatable', why: '`node s` did not end by itself' },
  ],
  [
    'what was not over',
    { kind: 'unfinished', command: 'node s' },
    { kind: 'unrepeatable', why: '`node s` was left running' },
  ],
  ['nothing refused', { kind: 'refused' }, undefined],
  ['a file', { kind: 'edit', file: '/w/a', content: 'x' }, { kind: 'edit', file: '/w/a', content: 'x' }],
  ['no other ends of lines', { kind: 'edit', file: '/w/a', content: 'a\r\n' }, { kind: 'unrepeatable' }],
  ['no bytes that are no text', { kind: 'edit', file: '/w/a', content: 'a\0' }, { kind: 'unrepeatable' }],
])('repeats %s', (_what, call, expected) => {
  const found = repeatableCalls([call], { steps: ['1-a'], paths })
  expect(found).toMatchObject(expected === undefined ? [] : [expected])
})

it('puts each call to the step that was under way', () => {
  const calls = [
    ran('one'),
    { kind: 'report', isAccepted: false },
    ran('two'),
    { kind: 'report', isAccepted: true },
  ] as const // literal kinds
  const found = repeatableCalls([...calls, ran('three'), calls[3], ran('four')], { steps: ['1-a', '2-b'], paths })
  expect(found.map(({ step }) => step)).toEqual(['1-a', '1-a', '2-b'])
})

it('tells the browser by its server, and leaves out mdtest', () => {
  const called = { type: 'called', input: {}, output: '', isError: false }
  const lines = [
    { ...called, server: 'playwright', tool: 'browser_click' },
    { ...called, server: 'mdtest', tool: 'next_step' },
    { ...called, server: 'mdtest', tool: 'report_step' },
    { ...called, server: 'mail', tool: 'send' },
    { type: 'text', text: 'no call' },
  ]
  const calls = [...lines.map((one) => JSON.stringify(one)), '{"type":"called"'].flatMap(readBrowserDone)
  const told = { input: {}, output: '', isError: false }
  expect(repeatableCalls(calls, { steps: ['1-a', '2-b'], paths })).toEqual([
    { kind: 'browser', step: '1-a', tool: 'browser_click', ...told },
    { kind: 'mcp', step: '2-b', server: 'mail', tool: 'send', ...told },
  ])
})
