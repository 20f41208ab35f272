import { carryOutSpec } from '../../support/scripts/carry-out-spec.ts'
import { addNote, listNotes, model, report } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const reports = model(function* () {
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk', step: addNote }] })
  return 'All steps passed.'
})

export default {
  does: 'Tries each step and writes the log in place of reports, unless it is told to report.',
  as: 'codex',
  script: (conversation) => {
    const { results } = conversation
    const told = results.findIndex(({ text }) => text.includes('Report with `report_step`'))
    return told === -1 ? carryOutSpec(conversation) : reports({ ...conversation, results: results.slice(told + 1) })
  },
} satisfies ModelDefinition
