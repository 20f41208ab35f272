import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { rule } from '../support/notes.ts'

export default {
  front: [rule],
  ...byModel(
    'claude',
    'Writes several commands into one line: lists, conditions, loops, subshells, comments and lines of their own.',
    function* () {
      yield run('# First a look\nls -la && node notes.mjs list; echo "---"\nnode notes.mjs list || echo "it failed"')
      yield run('node notes.mjs add milk || false')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      yield run(
        'for i in 1 2 3; do node notes.mjs list | wc -l; done; test -s notes.json && echo "data: yes" || echo "data: no"',
      )
      yield run('timeout 30 node notes.mjs list; (node notes.mjs list; true) && { node notes.mjs list; } 2>&1')
      yield run(
        'if node notes.mjs list | grep -q eggs; then echo "eggs: yes"; else echo "eggs: no"; fi; sleep 0.1; date +%s',
      )
      yield run('count=$(node notes.mjs list | wc -l); case "$count" in 1) echo one;; *) echo many;; esac')
      yield run('time node notes.mjs list \\\n  --all')
      const evidence = [{ quote: '1 [ ] milk' }]
      yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    },
  ),
}
