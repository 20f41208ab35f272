import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Prints the spec by a pattern and quotes from it.', function* () {
  yield run('cat *.md')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run('node notes.mjs list; grep -h prints *.md')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
