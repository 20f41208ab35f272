import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reads a file that is not there, reports a step too early, and carries on.',
  as: 'claude',
  script: model(function* () {
    yield { kind: 'read', file: '/nowhere/README.md' }
    yield run('node notes.mjs add milk')
    yield report(listNotes)
    yield report('1-add')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
