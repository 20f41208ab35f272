import { addNote, listNotes, model, report, run } from '../support/model.ts'
import { notesSpec, rightProgram, verifyList } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Repairs the product and then passes it.',
  as: 'claude',
  isAlone: true,
  spec: `${notesSpec}${verifyList}`,
  files: { 'fixed.txt': rightProgram },
  script: model(function* () {
    yield run('cp fixed.txt notes.mjs && node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
