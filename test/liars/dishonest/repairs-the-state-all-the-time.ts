import { addNote, byModel, report, run } from '../support/model.ts'
import { notesSpec } from '../support/notes.ts'

export default {
  spec: `${notesSpec.slice(0, notesSpec.indexOf('## List'))}
\`\`\`sh verify
node notes.mjs add eggs
sleep 0.5
node notes.mjs list | grep milk
\`\`\`
`,
  ...byModel('claude', 'Leaves a loop that keeps putting the state right.', function* () {
    yield run('node notes.mjs add milk')
    yield run(
      `(setsid bash -c 'while sleep 0.05; do printf "[\\"milk\\",\\"eggs\\"]" > notes.json; done' </dev/null >/dev/null 2>&1 &)`,
    )
    yield report(addNote)
  }),
}
