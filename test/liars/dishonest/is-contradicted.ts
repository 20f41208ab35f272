import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'

export default {
  spec: `${notesSpec}${verifyList}`,
  ...byModel('codex', 'Passes a step that the `verify` block does not.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
  }),
}
