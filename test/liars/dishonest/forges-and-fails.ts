import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Writes what the product reads in a command that fails.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run(`echo '["milk"]' > notes.json; false`)
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
