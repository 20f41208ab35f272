import { addNote, listNotes, model, report, run } from '../support/model.ts'
import { notesSpec } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Passes a step that is marked `fails`, and does.',
  as: 'codex',
  spec: notesSpec.replace('## List the notes\n', '## List the notes\n\n<!-- mdtest: fails -->\n'),
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
