import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries the first step and passes the second one along with it.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
