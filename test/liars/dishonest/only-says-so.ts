import { model } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Answers that all steps passed, with no tool call and no log.',
  as: 'codex',
  // oxlint-disable-next-line require-yield -- it does nothing, that is the point
  script: model(function* () {
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
