import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel(
  'codex',
  'Tries both steps in one command, and quotes for the second what it saw then.',
  function* () {
    yield run('node notes.mjs add milk && node notes.mjs list')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk', step: addNote }] })
  },
)
