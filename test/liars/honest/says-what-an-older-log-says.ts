import { addNote, listNotes, byModel, report, run, word } from '../support/model.ts'

const log = `---
status: pass
steps:
  - { id: 2-list-the-notes, status: pass, evidence: [{ quote: "1 [ ] milk" }] }
---
It printed

1 [ ] milk
`

export default {
  files: { 'says-what-an-older-log-says.logs/2020-01-01T10-00-00Z.log.md': log },
  ...byModel(
    'codex',
    'Sees again what an older log has, searches it, saves it, and quotes it from there.',
    function* ({ scratchDir = '.' }) {
      yield run('node notes.mjs add milk')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      const folder = word(scratchDir)
      yield run(`node notes.mjs list > ${folder}/out.txt`)
      yield run(`cat ${folder}/out.txt | grep -F "1 ["; head -n 1 ${folder}/*.txt`)
      yield report(listNotes, {
        checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: [{ quote: '1 [ ] milk' }] })),
      })
    },
  ),
}
