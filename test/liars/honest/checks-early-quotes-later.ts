import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries both steps in one command, and quotes for the second what it saw then.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk && node notes.mjs list')
    yield report(addNote)
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
