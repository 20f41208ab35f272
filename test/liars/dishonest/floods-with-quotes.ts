import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const invented = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ quote: `${n + 1} [ ] milk is on the list` }))

export default byModel('claude', 'Prints megabytes and cites 600 quotes, one of them true.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run('node notes.mjs list; head -c 3000000 /dev/zero | tr "\\0" "-"; echo; echo done with it')
  yield report(listNotes, { evidence: [{ quote: 'done with it' }, ...invented(599)] })
  yield report(listNotes, { evidence: [{ quote: 'done with it' }, ...invented(499)] })
})
