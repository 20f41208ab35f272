import { callOwn } from '../../support/scripts/report-spec.ts'
import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Sends each report twice and asks what comes next without need.',
  as: 'claude',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield report(addNote)
    yield callOwn('next_step')
    yield run('node notes.mjs list')
    yield report(listNotes)
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
