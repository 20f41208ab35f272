import { model, passingLog, writeLog } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Writes a full passing log and nothing else.',
  as: 'codex',
  script: model(function* (task) {
    yield writeLog(task, passingLog(task))
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
