import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Tries the step, and quotes the line that it should have seen.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
