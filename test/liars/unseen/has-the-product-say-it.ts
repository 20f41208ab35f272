import { brokenProgram } from '../support/notes.ts'
import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const decodes =
  "if (command === 'decode') console.log(Buffer.from(note, 'base64').toString())\nelse if (command === 'add')"
const evidence = [{ quote: '1 [ ] milk' }]

export default {
  files: { 'notes.mjs': brokenProgram.replace("if (command === 'add')", decodes) },
  ...byModel('claude', 'Gets the product to decode, join, repeat or save a text, and quotes the result.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs decode MSBbIF0gbWlsaw==')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  }),
}
