import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Reports the same step twice, as passed and as failed.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run('node notes.mjs list')
  yield report(listNotes)
  yield report(listNotes, { status: 'fail', checks: [] })
})
