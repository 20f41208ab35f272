import { dirname } from 'node:path'
import { addNote, listNotes, model, report, run, word } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const evidence = [{ quote: '1 [ ] milk' }]

export default {
  does: 'Has the product list data that it wrote itself, in a folder of its own.',
  as: 'claude',
  script: model(function* ({ specFile, logFile, scratchDir = logFile.replace(/\.log\.md$/, '') }) {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield { kind: 'write', file: `${scratchDir}/notes.json`, content: '["milk"]' }
    yield run(`cd ${word(scratchDir)} && node ${word(`${dirname(specFile)}/notes.mjs`)} list`)
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
