import { addNote, byModel, report, run } from '../support/model.ts'
import { checkedSpec, checker } from '../support/checked-notes.ts'

export default {
  isAlone: true,
  spec: checkedSpec,
  files: checker,
  ...byModel('claude', 'Edits what the `verify` block imports in a shell within a shell.', function* () {
    yield run(`node notes.mjs add milk; sh -c 'f=expected; printf "export const expected = []" > "$f.mjs"'`)
    yield report(addNote)
  }),
}
