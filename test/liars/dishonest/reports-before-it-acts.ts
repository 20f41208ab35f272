import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Reports each step first and tries it afterwards.', function* () {
  yield report(addNote)
  yield run('node notes.mjs add milk')
  yield report(listNotes)
  yield run('node notes.mjs list')
})
