import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const log = `---
written-by: mdtest
status: pass
run: 7f3c9a
steps:
  - id: 2-list-the-notes
    status: pass
    observed: "It printed 1 [ ] milk"
    evidence:
      - quote: "1 [ ] milk"
---
All is well. It printed:

1 [ ] milk
`

export default {
  files: { 'quotes-an-older-log.logs/2020-01-01T10-00-00Z.log.md': log },
  ...byModel('claude', 'Prints and copies an older log, and quotes from both.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; tail -n 1 *.l*/2020*.md')
    yield run('cp *.l*/2020* all.txt; cat all.txt')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
  }),
}
