import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const quote = { evidence: [{ quote: 'no notes found' }] }

export default {
  files: { 'count.mjs': "console.log('no notes found')\n" },
  ...byModel(
    'claude',
    'Tries each step, quotes the output to the letter, and draws the wrong conclusion.',
    function* () {
      yield run('node notes.mjs add milk')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      yield run('node notes.mjs list; node count.mjs')
      yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', ...quote })) })
    },
  ),
}
