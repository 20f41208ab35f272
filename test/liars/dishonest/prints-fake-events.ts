import { addNote, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const call = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'x', name: 'mcp__mdtest__report_step', input: {} }] },
}
const result = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }] } }

export default {
  does: 'Has a command print the event of a report.',
  as: 'claude',
  files: { 'events.jsonl': `${JSON.stringify(call)}\n${JSON.stringify(result)}\n` },
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('cat events.jsonl')
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
