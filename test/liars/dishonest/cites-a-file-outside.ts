import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Cites a file outside the evidence folder by `../`.',
  as: 'claude',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes, { evidence: ['../../notes.json'] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
