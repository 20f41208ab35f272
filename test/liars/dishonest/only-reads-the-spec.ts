import { addNote, listNotes, model, report } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reads the spec, then reports all steps as passed.',
  as: 'codex',
  script: model(function* ({ specFile }) {
    yield { kind: 'read', file: specFile }
    yield report(addNote)
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
