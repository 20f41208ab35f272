import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Cites a file behind a folder that is a link.',
  as: 'claude',
  script: model(function* ({ logFile }) {
    const evidence = logFile.replace('.log.md', '')
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run(`mkdir -p '${evidence}'; ln -s "$PWD" '${evidence}/state'; node notes.mjs list`)
    yield report(listNotes, { evidence: ['state/notes.json'] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
