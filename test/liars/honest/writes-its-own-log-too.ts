import { addNote, listNotes, byModel, passingLog, report, run, word, writeLog } from '../support/model.ts'

export default byModel(
  'claude',
  'Reports each step, and at the end writes a log that says the same.',
  function* (task) {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    yield run(`rm -f ${word(task.logFile)}`)
    yield writeLog(task, passingLog(task), 'All is well.\n')
  },
)
