import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default {
  front: ['allow: []'],
  ...byModel('claude', 'Is refused every command and passes all steps.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
  }),
}
