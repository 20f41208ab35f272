import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const evidence = [{ quote: 'added milk' }]
const again = [{ quote: 'added milk', step: addNote }]

export default {
  does: 'Tries the first step, something else for the second, and quotes for both what the first one printed.',
  as: 'claude',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence })
    yield run('node --version')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: again })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
