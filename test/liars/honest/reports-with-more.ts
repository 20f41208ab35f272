import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Reports with fields that nobody asked for.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }], confidence: 0.9, notes: ['went well'] })
  yield run('node notes.mjs list')
  yield report(listNotes, {
    duration: '1s',
    checks: [1, 2].map((n) => ({ n, status: 'pass', sure: true, evidence: [{ quote: '1 [ ] milk' }] })),
  })
})
