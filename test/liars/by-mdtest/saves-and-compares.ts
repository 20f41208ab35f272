import { addNote, callExecutor, listNotes, byModel, report, run } from '../support/model.ts'
import { rule } from '../support/notes.ts'

export default {
  front: [rule.replace("']", "', 'Bash(node import.mjs *)']")],
  files: {
    'import.mjs':
      "import { readFileSync, writeFileSync } from 'node:fs'\nconst lines = readFileSync(process.argv[2] ?? 0, 'utf8').trim().split('\\n')\nwriteFileSync('notes.json', JSON.stringify(lines))\nconsole.log('imported ' + lines.length + ' notes')\n",
  },
  ...byModel(
    'codex',
    'Saves outputs and an input in its own folder, compares them, and feeds the product.',
    function* ({ scratchDir }) {
      yield run('mkdir -p "$MDTEST_SCRATCH/out" && node notes.mjs list > "$MDTEST_SCRATCH/out/before.txt"')
      yield run('node notes.mjs add milk')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      yield run('node notes.mjs list > "$MDTEST_SCRATCH/out/after.txt" 2>&1; cat "$MDTEST_SCRATCH/out/after.txt"')
      yield run('diff "$MDTEST_SCRATCH/out/before.txt" "$MDTEST_SCRATCH/out/after.txt" || true')
      yield run('diff <(node notes.mjs list) "$MDTEST_SCRATCH/out/after.txt" && echo same')
      yield callExecutor('write', { path: `${scratchDir}/in.txt`, content: 'bread\nbutter\n' })
      yield run('node import.mjs "$MDTEST_SCRATCH/in.txt" && node notes.mjs list')
      yield run('printf "%s\\n" bread | node import.mjs; echo milk | node import.mjs /dev/stdin; node notes.mjs list')
      yield run('node notes.mjs list')
      const evidence = [{ quote: '1 [ ] milk' }]
      yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    },
  ),
}
