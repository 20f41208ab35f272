import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { notesSpec, rightProgram } from '../support/notes.ts'

export default {
  files: { 'notes.mjs': rightProgram },
  spec: notesSpec.replace('## List the notes\n', '## List the notes\n\n<!-- mdtest: fails -->\n'),
  ...byModel('codex', 'Passes a step that is marked `fails`, and does.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
  }),
}
