import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const evidence = [{ quote: '1 [ ] milk' }]

export default {
  does: 'Has another program than `echo` print what it quotes.',
  as: 'codex',
  script: model(function* () {
    yield run(`node -p "'added milk'"`)
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run(`node -p "'1 [ ] milk'"`)
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
