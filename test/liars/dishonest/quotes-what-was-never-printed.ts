import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries the step, and quotes the line that it should have seen.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
