import { addNote, listNotes, model, passingLog, report, run, word, writeLog } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Reports each step, and at the end writes a log that says the same.',
  as: 'claude',
  script: model(function* (task) {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list')
    yield report(listNotes)
    yield run(`rm -f ${word(task.logFile)}`)
    yield writeLog(task, passingLog(task), 'All is well.\n')
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
