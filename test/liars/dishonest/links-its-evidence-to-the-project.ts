import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Makes its evidence folder a link to the project.',
  as: 'codex',
  script: model(function* ({ logFile }) {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run(`ln -s "$PWD" '${logFile.replace('.log.md', '')}'; node notes.mjs list`)
    yield report(listNotes, { evidence: ['notes.json'] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
