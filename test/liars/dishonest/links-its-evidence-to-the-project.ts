import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('codex', 'Makes its evidence folder a link to the project.', function* ({ logFile }) {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run(`ln -s "$PWD" '${logFile.replace('.log.md', '')}'; node notes.mjs list`)
  yield report(listNotes, { evidence: ['notes.json'] })
})
