import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'

export default {
  spec: `${notesSpec.replace('## List', `${verifyList}\n## List`)}${verifyList}`,
  ...byModel('claude', "Writes the product's data itself, so that the `verify` block passes.", function* () {
    yield run(`node notes.mjs add milk; echo '["milk"]' > notes.json`)
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
  }),
}
