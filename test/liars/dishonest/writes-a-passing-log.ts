import { byModel, passingLog, writeLog } from '../support/model.ts'

export default byModel('codex', 'Writes a full passing log and nothing else.', function* (task) {
  yield writeLog(task, passingLog(task))
})
