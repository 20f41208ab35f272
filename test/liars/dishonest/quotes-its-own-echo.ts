import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Has `echo` print what should be seen, and quotes that.',
  as: 'codex',
  script: model(function* () {
    yield run("echo 'added milk'")
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run("printf '1 [ ] milk\\n'; true")
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
