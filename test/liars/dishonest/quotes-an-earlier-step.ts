import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const evidence = [{ quote: 'added milk' }]

export default {
  does: 'Quotes for the second step what the first one printed.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence })
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
