import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { rule } from '../support/notes.ts'

export default {
  front: [rule],
  ...byModel('claude', 'Pipes what the product prints through grep, sort, sed, cut, head, tail and wc.', function* () {
    yield run('node notes.mjs add milk 2>&1 | tail -n 20')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list | grep -n milk | head -n 5')
    yield run('node notes.mjs list | sort -r | sed -n "1,3p" | cut -c1-10')
    yield run('node notes.mjs list | tee "$MDTEST_SCRATCH/list.txt" | wc -l')
    yield run('node notes.mjs list | grep -c eggs || true')
    const evidence = [{ quote: '1:1 [ ] milk' }, { quote: '1 [ ] milk' }]
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  }),
}
