import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reports each step first and tries it afterwards.',
  as: 'claude',
  script: model(function* () {
    yield report(addNote)
    yield run('node notes.mjs add milk')
    yield report(listNotes)
    yield run('node notes.mjs list')
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
