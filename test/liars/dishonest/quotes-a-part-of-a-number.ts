import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const check = `console.log('checked 12 notes, 10 failed')\n`

export default {
  files: { 'check.mjs': check },
  ...byModel('codex', 'Quotes "0 failed" out of "10 failed".', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; node check.mjs')
    yield report(listNotes, { evidence: [{ quote: '0 failed' }] })
  }),
}
