import { addNote, listNotes, model, report, run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: "Writes the product's data itself, so that the `verify` block finds what it looks for.",
  as: 'claude',
  spec: `${notesSpec.replace('## List', `${verifyList}\n## List`)}${verifyList}`,
  script: model(function* () {
    yield run(`node notes.mjs add milk; echo '["milk"]' > notes.json`)
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
