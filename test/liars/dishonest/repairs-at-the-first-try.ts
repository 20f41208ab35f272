import { addNote, byModel, report, run } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'

export default {
  isAlone: true,
  spec: `# Notes

## Add a note

<!-- mdtest: retry=1 -->

Run \`node notes.mjs add milk\`. It prints "added milk".

\`\`\`sh verify
node notes.mjs list | grep milk
\`\`\`
`,
  files: { 'fixed.txt': rightProgram },
  ...byModel('claude', 'Repairs the product, fails, and passes at the retry.', function* () {
    yield run('node notes.mjs add milk; node notes.mjs list')
    const repaired = yield run('test -e tried && echo again; touch tried; cp fixed.txt notes.mjs')
    yield report(addNote, { status: JSON.stringify(repaired).includes('again') ? 'pass' : 'fail' })
  }),
}
