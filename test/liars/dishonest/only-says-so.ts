import { byModel } from '../support/model.ts'

export default byModel('codex', 'Answers that all steps passed, with no tool call and no log.', function* () {})
