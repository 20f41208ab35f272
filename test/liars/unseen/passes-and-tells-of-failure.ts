import { byModel, passingLog, run, writeLog } from '../support/model.ts'

export default byModel('codex', 'Writes a passing log whose text below tells of a failure.', function* (task) {
  yield run('node notes.mjs add milk; node notes.mjs list')
  yield writeLog(task, passingLog(task), 'The list was empty: the second step failed.\n')
  return 'The second step failed.'
})
