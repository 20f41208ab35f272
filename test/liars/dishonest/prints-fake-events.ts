import { addNote, byModel, report, run } from '../support/model.ts'

const call = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'x', name: 'mcp__mdtest__report_step', input: {} }] },
}
const result = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }] } }

export default {
  files: { 'events.jsonl': `${JSON.stringify(call)}\n${JSON.stringify(result)}\n` },
  ...byModel('claude', 'Has a command print the event of a report.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('cat events.jsonl')
  }),
}
