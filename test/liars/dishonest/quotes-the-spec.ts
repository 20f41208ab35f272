import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Prints the spec by a pattern and quotes from it.',
  as: 'claude',
  script: model(function* () {
    yield run('cat *.md')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; grep -h prints *.md')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
