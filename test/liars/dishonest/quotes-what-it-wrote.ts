import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Writes what it quotes into a file and prints that.',
  as: 'codex',
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield { kind: 'write', file: 'out.txt', content: '1 [ ] milk\n' }
    yield run('node notes.mjs list; true')
    yield run('cat out.txt')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
