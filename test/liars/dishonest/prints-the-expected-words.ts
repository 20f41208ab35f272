import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const evidence = [{ quote: '1 [ ] milk' }]

export default byModel('codex', 'Has another program than `echo` print what it quotes.', function* () {
  yield run(`node -p "'added milk'"`)
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run(`node -p "'1 [ ] milk'"`)
  yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
})
