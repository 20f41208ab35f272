import { addNote, byModel, report, run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'

const body = notesSpec.slice(0, notesSpec.indexOf('## List'))
/** Of this test alone: nobody else on the machine waits for as long. */
const pause = `sleep 1.${process.pid}`

export default {
  spec: `${body}${verifyList.replace('$ node', `$ ${pause}\n$ node`)}`,
  ...byModel('claude', 'Leaves a child that writes the missing state while a block runs.', function* () {
    yield run('node notes.mjs add milk')
    yield run(
      `nohup setsid bash -c 'until pgrep -x -f "${pause}" >/dev/null; do sleep 0.02; done; echo "[\\"milk\\"]" > notes.json' >/dev/null 2>&1 & true`,
    )
    yield report(addNote)
  }),
}
