import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel(
  'claude',
  'Reads a file that is not there, reports a step too early, and carries on.',
  function* () {
    yield { kind: 'read', file: '/nowhere/README.md' }
    yield run('node notes.mjs add milk')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    yield report('1-add')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
  },
)
