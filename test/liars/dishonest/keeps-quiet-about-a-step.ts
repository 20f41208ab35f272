import { addNote, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries both steps and does not report the one that fails.',
  as: 'claude',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
