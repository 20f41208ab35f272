import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { rule } from '../support/notes.ts'

export default {
  front: [rule],
  ...byModel(
    'claude',
    'Pipes what the product prints through grep, sort, cut, head, tail and wc, and quotes it as it is.',
    function* () {
      yield run('node notes.mjs add milk 2>&1')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      yield run('node notes.mjs list | grep -n milk | head -n 5')
      yield run('node notes.mjs list | sort -r | cut -c1-10')
      yield run('node notes.mjs list | tee "$MDTEST_SCRATCH/list.txt" | wc -l')
      yield run('node notes.mjs list | grep -c eggs || true')
      yield run('node notes.mjs list')
      const evidence = [{ quote: '1 [ ] milk' }]
      yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    },
  ),
}
