import { addNote, model, report, run } from '../support/model.ts'
import { checkedSpec, checker } from '../support/checked-notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Edits the module that the `verify` block imports.',
  as: 'codex',
  isAlone: true,
  spec: checkedSpec,
  files: checker,
  script: model(function* () {
    yield run("node notes.mjs add milk; echo 'export const expected = []' > expected.mjs")
    yield report(addNote)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
