import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reports the same step twice, as passed and as failed.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    yield report(listNotes, { status: 'fail', checks: [] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
