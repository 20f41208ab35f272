import { reportSpec } from '../../support/scripts/report-spec.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Tries each step, compares, quotes and reports.',
  as: 'claude',
  script: reportSpec,
} satisfies ModelDefinition
