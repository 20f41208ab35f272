import { dirname } from 'node:path'
import { addNote, listNotes, byModel, report, run, word } from '../support/model.ts'

const evidence = [{ quote: '1 [ ] milk' }]

export default byModel(
  'claude',
  'Has the product list data that it wrote itself, in a folder of its own.',
  function* ({ specFile, logFile, scratchDir = logFile.replace(/\.log\.md$/, '') }) {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield { kind: 'write', file: `${scratchDir}/notes.json`, content: '["milk"]' }
    yield run(`cd ${word(scratchDir)} && node ${word(`${dirname(specFile)}/notes.mjs`)} list`)
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
)
