import { addNote, listNotes, byModel, report } from '../support/model.ts'

export default byModel('codex', 'Reads the spec, then reports all steps as passed.', function* ({ specFile }) {
  yield { kind: 'read', file: specFile }
  yield report(addNote)
  yield report(listNotes)
})
