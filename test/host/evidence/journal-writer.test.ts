import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { createQuoteFinder } from '../../../src/host/evidence/find-quote.ts'
import { JournalWriter } from '../../../src/host/evidence/journal-writer.ts'
import { parseJournal } from '../../../src/records/journal/journal.ts'
import { useFolders } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

const newFolder = useFolders()
const opened: AgentEvent = { type: 'opened' }
const call = (id: string, title: string, tool = 'Bash'): AgentEvent => ({
  type: 'tool-call',
  id,
  kind: tool === 'Bash' ? 'command' : tool === 'Read' ? 'file' : 'mcp',
  tool,
  ...(tool === 'Read' && { use: 'numbered' as const }), // a literal of the event
  title,
  files: tool === 'Read' ? [title] : [],
})
const result = (id: string, output = '', isError = false): AgentEvent => ({ type: 'tool-result', id, isError, output })
const report = (id: string, isError = false): AgentEvent[] => [
  call(id, 'report', 'mcp__mdtest__report_step'),
  result(id, '', isError),
]

function keep(
  events: readonly AgentEvent[],
  specFile = '/p/s.test.md',
  cwd = '/p',
  redact = (text: string): string => text,
): { writer: JournalWriter; text: () => string; lines: () => readonly object[] } {
  const folder = newFolder()
  const [ground, file] = [groundAt(folder.path), folder.at('t.journal.jsonl')]
  const writer = new JournalWriter({
    allow: [],
    servers: [],
    startedAtMs: 0,
    ground,
    file,
    steps: ['1-a', '2-b'],
    now: () => new Date(1000),
    cwd,
    specFile,
    logFile: '/p/s.logs/t.log.md',
    redact,
  })
  for (const event of events) writer.onEvent(event)
  const text = (): string => readFileSync(file, 'utf8')
  return { writer, text, lines: () => parseJournal(text()).entries }
}

describe('the journal', () => {
  test('gives each call to the step that was under way when it was made', () => {
    const { writer, lines } = keep([
      opened,
      call('c1', 'one'),
      result('c1', 'out'),
      ...report('r0', true), // refused
      call('c2', 'two'),
      result('c2'),
      ...report('r1'),
      call('c3', 'three'),
      result('c3'),
      ...report('r2'),
      call('c4', 'four'),
      result('c4'),
    ])
    expect(writer.observedCalls).toEqual([
      { step: '1-a', activity: true },
      { step: '1-a', activity: false },
      { step: '1-a', activity: true },
      { step: '1-a', activity: false },
      { step: '2-b', activity: true },
      { step: '2-b', activity: false },
      { step: null, activity: true },
    ])
    expect(lines()[0]).toEqual({
      id: 'c1',
      at: '1970-01-01T00:00:01.000Z',
      step: '1-a',
      kind: 'command',
      title: 'one',
      excerpt: 'out',
      activity: true,
    })
    expect(lines()).toHaveLength(7)
  })

  test('does not exist before the agent opened its stream', () => {
    const { writer } = keep([call('c1', 'one'), result('c1')])
    expect(writer.observedCalls).toBeUndefined()
  })

  test('knows a refused call, whether it hears of it before or after the result', () => {
    const denied = (id: string): AgentEvent => ({ type: 'denial', id, what: 'x' })
    const { writer, lines } = keep([opened, call('c1', 'a'), denied('c1'), result('c1'), call('c2', 'b'), result('c2')])
    writer.onEvent(denied('c2'))
    expect(writer.observedCalls).toEqual([
      { step: '1-a', activity: false, denied: true },
      { step: '1-a', activity: false, denied: true },
    ])
    expect(lines()[1]).not.toHaveProperty('denied')
    writer.close()
    expect(lines()[1]).toHaveProperty('denied', true)
  })

  test('leaves what is no activity out of the outputs, and line numbers out of what Claude Code read', () => {
    const { writer } = keep([
      opened,
      call('c1', '/p/s.test.md', 'Read'),
      result('c1', '1\tspec'),
      call('c2', '/p/a.txt', 'Read'),
      result('c2', '     1→first\n    2\tsecond'),
    ])
    expect(writer.outputs.all).toMatchObject([{ endedAtMs: 1000, text: 'first\nsecond', step: '1-a' }])
  })

  test('keeps why an output proves nothing: the agent read it, or made it', () => {
    const folder = newFolder()
    for (const name of ['made.json', 'own.json', 'later.txt']) writeFileSync(folder.at(name), '[]')
    const { writer } = keep(
      [
        opened,
        ...['node notes.mjs list', 'cat made.json', 'cat *.md', 'echo x > later.txt', 'cat later.txt', 'ls'].flatMap(
          (title, n) => [{ ...call(`c${n}`, title), directory: folder.path }, result(`c${n}`, 'out')],
        ),
      ],
      '/p/s.test.md',
      folder.path,
    )
    const counts = writer.outputs.all.map(({ doubt }) => doubt === undefined)
    expect(counts).toEqual([true, true, false, false, false, false])
    expect(writer.own.written).toEqual([{ path: folder.at('later.txt'), stepId: '1-a' }])
  })

  const visit = (id: string, input: object, output: string, isError = false): AgentEvent[] => [
    { type: 'tool-call', id, kind: 'browser', tool: 't', title: 't', files: [], input },
    result(id, output, isError),
  ]

  test('keeps of a browser what is no word of its caller, and nothing behind a page that the caller made', () => {
    const { writer } = keep([
      opened,
      ...visit('1', { text: 'Cart (3)' }, '### Result\nNo matches found for "Cart (3)".'),
      ...visit('2', { target: 'Cart (3)' }, 'Error: "Cart (3)" was not found', true),
      ...visit('3', { url: 'data:text/html,x' }, 'Cart (4)'),
      ...visit('4', { url: 'http://127.0.0.1:3000' }, 'Cart (5)'),
    ])
    const [vain, missing, ...own] = writer.outputs.all
    expect(vain).toMatchObject({ text: '### Result\nNo matches found for …' })
    expect(missing).toMatchObject({ doubt: expect.stringContaining('the call failed') })
    expect(own.map(({ text }) => text)).toEqual(['', ''])
  })

  test('keeps the value that a call typed into a field, and why it proves nothing', async () => {
    const field = '- spinbutton "Quantity" [ref=e2]: "3"'
    const code = "### Ran Playwright code\n```js\nawait page.getByRole('spinbutton').fill('3');\n```\n"
    const shown = `### Page\n${field}\n- status: 3 mugs`
    const reload = "### Ran Playwright code\n```js\nawait page.goto('http://a.b/');\n```\n"
    const typed = [opened, ...visit('1', {}, shown), ...report('r1'), ...visit('2', {}, code + shown)]
    const find = (events: readonly AgentEvent[], quote: string): Promise<object> => {
      const ofStep = keep(events).writer.outputs.all.filter(({ step }) => step === '2-b')
      return createQuoteFinder(ofStep)({ quote })
    }
    for (const quote of [field, '3', `${field}\n- status: 3 mugs`])
      expect(await find(typed, quote)).toMatchObject({ isFound: true, problem: expect.stringContaining('was typed') })
    expect(await find(typed, 'status: 3 mugs')).toEqual({ isFound: true, atMs: 1000 })
    expect(await find([...typed, ...visit('3', {}, reload + shown)], field)).toEqual({ isFound: true, atMs: 1000 })
  })

  test('ignores unknown events, results without a call and calls without a result', () => {
    const { writer } = keep([opened, { type: 'unknown', raw: '{' }, result('x'), call('c1', 'a')])
    expect(writer.observedCalls).toEqual([])
  })

  test.each([
    ['ended', [result('c1')], 'You wrote'],
    ['failed', [{ ...result('c1', '', true), exitCode: 1 }], 'You wrote', '[]'],
    ['failed and changed nothing', [{ ...result('c1', '', true), exitCode: 1 }], undefined],
    ['was refused', [{ type: 'denial', id: 'c1', what: 'x' }], undefined],
  ] as const)('counts a command that %s with what it wrote', (_, ended, doubt, written = undefined) => {
    const { path: cwd } = newFolder()
    if (written !== undefined) writeFileSync(join(cwd, 'notes.json'), written)
    const list = [call('c2', 'node notes.mjs list'), result('c2', '1 [ ] milk')]
    const events = [opened, call('c1', 'echo [] > notes.json; false'), ...ended, ...list]
    const { outputs, own } = keep(events, '/p/s.test.md', cwd).writer
    const listed = outputs.all.find(({ text }) => text === '1 [ ] milk')
    expect([listed?.doubt?.slice(0, 9), own.written.length]).toEqual([doubt, doubt === undefined ? 0 : 1])
  })

  test('waits until a report is seen, for a while', async () => {
    const { writer } = keep([opened])
    expect(await writer.seesReport(20)).toBe(false)
    const seen = writer.seesReport(10_000)
    writer.onEvent(call('c1', 'a'))
    writer.onEvent(call('r1', 'report', 'mcp__mdtest__report_step'))
    expect(await seen).toBe(true)
    writer.onEvent(result('r1'))
    // The one before does not count for the next.
    expect(await writer.seesReport(20)).toBe(false)
  })
})

test('secrets are taken out of an entry before it is cut', () => {
  const redact = (text: string): string => text.replaceAll('geheimnis', '***KEY***')
  const events = [opened, call('1', 'login geheimnis'), result('1', `${'x'.repeat(1995)}geheimnis`)]
  const { writer, text } = keep(events, undefined, undefined, redact)
  expect(text()).toContain('login ***KEY***')
  expect(text()).not.toContain('gehei')
  expect(writer.outputs.all[0]?.text).toContain('geheimnis')
})
