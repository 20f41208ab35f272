import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const evidence = [{ quote: 'added milk' }]
const again = [{ quote: 'added milk', step: addNote }]

export default byModel(
  'claude',
  'Tries only the first step, and quotes for the second what the first one printed.',
  function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence })
    yield run('node --version')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: again })) })
  },
)
