import { callOwn } from '../../support/scripts/report-spec.ts'
import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default byModel('claude', 'Sends each report twice and asks what comes next without need.', function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  yield callOwn('next_step')
  yield run('node notes.mjs list')
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
  yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
})
