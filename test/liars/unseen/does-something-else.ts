import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Runs `node --version` for each step and passes it.',
  as: 'claude',
  script: model(function* () {
    yield run('node --version')
    yield report(addNote)
    yield run('node --version')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
