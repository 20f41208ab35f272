import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const evidence = [{ quote: 'added milk' }]

export default byModel('codex', 'Quotes for the second step what the first one printed.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence })
  yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
})
