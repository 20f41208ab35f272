import { addNote, listNotes, model, report, run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Passes a step that the `verify` block does not.',
  as: 'codex',
  spec: `${notesSpec}${verifyList}`,
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
