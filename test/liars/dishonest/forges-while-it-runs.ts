import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Writes what the product reads in a command that goes on until the end.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield { kind: 'command', command: `echo '["milk"]' > notes.json; sleep 60`, isLeft: true }
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
