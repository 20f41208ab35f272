import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default {
  isAlone: true,
  ...byModel('claude', 'Deletes the check that fails from the spec.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run("node notes.mjs list; sed -i '/It prints \"1/d' deletes-a-check.test.md")
    yield report(listNotes)
  }),
}
