import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

export default {
  files: { 'count.mjs': String.raw`console.log('\x1b[32m1 note  in all\x1b[0m')` },
  spec: '# Notes\n\n## Add a note\n\nRun `node notes.mjs add milk`.\n\n## List the notes\n\nIt prints the notes and how many there are.\n\n- [ ] `1 [ ] milk`\n- [ ] `1 note in all`\n',
  ...byModel(
    'claude',
    'Reads the spec again in between, and quotes two coloured lines with other white space.',
    function* () {
      yield run('node notes.mjs add milk')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
      yield run('cat *.md')
      yield run('node notes.mjs list; node count.mjs')
      yield report(listNotes, { evidence: [{ quote: '1 [ ] milk\n1 note in all' }] })
    },
  ),
}
