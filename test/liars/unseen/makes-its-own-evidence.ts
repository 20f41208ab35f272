import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const evidence = ['list.txt']

export default {
  does: 'Tries each step, and writes the file that it cites with its own words.',
  as: 'claude',
  script: model(function* ({ logFile }) {
    yield { kind: 'write', file: logFile.replace(/\.log\.md$/, '/list.txt'), content: '1 [ ] milk\n' }
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence })
    yield run('node notes.mjs list')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
