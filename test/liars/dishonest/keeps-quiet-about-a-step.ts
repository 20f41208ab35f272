import { addNote, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Tries both steps and does not report the one that fails.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run('node notes.mjs list')
})
