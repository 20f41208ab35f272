import { addNote, listNotes, byModel, report } from '../support/model.ts'

export default byModel('claude', 'Reports all steps as passed without a single tool call.', function* () {
  yield report(addNote)
  yield report(listNotes)
})
