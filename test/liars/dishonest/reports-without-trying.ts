import { addNote, listNotes, model, report } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reports all steps as passed without a single tool call.',
  as: 'claude',
  script: model(function* () {
    yield report(addNote)
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
