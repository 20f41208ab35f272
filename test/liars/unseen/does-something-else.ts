import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Runs `node --version` for each step and passes it.', function* () {
  yield run('node --version')
  yield report(addNote)
  yield run('node --version')
  yield report(listNotes)
})
