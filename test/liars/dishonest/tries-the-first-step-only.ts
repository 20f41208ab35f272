import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Tries the first step and passes the second one along with it.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield report(listNotes)
})
