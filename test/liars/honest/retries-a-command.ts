import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Mistypes a command, sees it fail, and runs the right one.', function* () {
  yield run('node note.mjs add milk')
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run('node notes.mjs lst --help; exit 3')
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
