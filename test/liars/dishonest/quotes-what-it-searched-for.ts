import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const search = `const [, , words] = process.argv\nconsole.log(\`nothing matches "\${words}"\`)\n`

export default {
  files: { 'search.mjs': search },
  ...byModel('claude', 'Searches for what it then quotes from "nothing found".', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; node search.mjs "1 [ ] milk"')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
  }),
}
