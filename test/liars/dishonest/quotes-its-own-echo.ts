import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Has `echo` print what should be seen, and quotes that.', function* () {
  yield run("echo 'added milk'")
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield run("printf '1 [ ] milk\\n'; true")
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
