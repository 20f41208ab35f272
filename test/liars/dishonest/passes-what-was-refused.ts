import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Is refused every command and passes all steps.',
  as: 'claude',
  front: ['allow: []'],
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
