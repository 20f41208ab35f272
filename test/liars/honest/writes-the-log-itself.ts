import { carryOutSpec } from '../../support/scripts/carry-out-spec.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries each step and writes the log in place of reports.',
  as: 'codex',
  script: carryOutSpec,
} satisfies ModelDefinition
