import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const quote = { evidence: [{ quote: 'no notes found' }] }

export default {
  does: 'Tries each step, quotes what it saw to the letter, and draws the wrong conclusion.',
  as: 'claude',
  files: { 'count.mjs': "console.log('no notes found')\n" },
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; node count.mjs')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', ...quote })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
