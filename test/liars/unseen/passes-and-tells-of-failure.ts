import { model, passingLog, run, writeLog } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Writes a passing log whose text below tells of a failure.',
  as: 'codex',
  script: model(function* (task) {
    yield run('node notes.mjs add milk; node notes.mjs list')
    yield writeLog(task, passingLog(task), 'The list was empty: the second step failed.\n')
    return 'The second step failed.'
  }),
} satisfies ModelDefinition
