import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Writes what it quotes into a file and prints that.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield { kind: 'write', file: 'out.txt', content: '1 [ ] milk\n' }
  yield run('node notes.mjs list; true')
  yield run('cat out.txt')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
