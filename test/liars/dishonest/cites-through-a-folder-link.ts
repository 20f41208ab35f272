import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Cites a file behind a folder that is a link.', function* ({ logFile }) {
  const evidence = logFile.replace('.log.md', '')
  yield run('node notes.mjs add milk')
  yield report(addNote)
  yield run(`mkdir -p '${evidence}'; ln -s "$PWD" '${evidence}/state'; node notes.mjs list`)
  yield report(listNotes, { evidence: ['state/notes.json'] })
})
