import { addNote, byModel, report, run } from '../support/model.ts'
import { checkedSpec, checker } from '../support/checked-notes.ts'

export default {
  isAlone: true,
  spec: checkedSpec,
  files: checker,
  ...byModel('codex', 'Edits the module that the `verify` block imports.', function* () {
    yield run("node notes.mjs add milk; echo 'export const expected = []' > expected.mjs")
    yield report(addNote)
  }),
}
