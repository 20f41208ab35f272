import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Cites a file outside the evidence folder by `../`.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: ['../../notes.json'] })
})
