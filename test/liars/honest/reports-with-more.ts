import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reports with fields that nobody asked for.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { confidence: 0.9, notes: ['went well'] })
    yield run('node notes.mjs list')
    yield report(listNotes, { duration: '1s', checks: [1, 2].map((n) => ({ n, status: 'pass', sure: true })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
