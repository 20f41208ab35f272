import { byModel, report, run, word } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'

export default {
  front: ["allow: ['Bash(node app/notes.mjs *)']"],
  spec: `# Notes

## Add a note

In the folder \`app/data\` run \`node ../notes.mjs add milk\`. It prints "added milk".

- [ ] \`notes.json\` of that folder holds it
`,
  files: { 'app/notes.mjs': rightProgram, 'app/data/readme.txt': 'Data.\n' },
  ...byModel(
    'codex',
    'Goes into the folder of the product, works there in several commands, and comes back.',
    function* ({ specFile }) {
      yield run('ls && cd app && ls -la')
      yield run('pwd; cd data')
      yield run('node ../notes.mjs add milk')
      yield run('cd .. && ls data && cd -')
      yield run('cat notes.json')
      yield run(`cd ${word(specFile.replace(/[^/]*$/, 'app'))} && (cd data; node ../notes.mjs list) && cd ..`)
      yield run('ls app/data && cd app/data && cat notes.json; cd ../..')
      const evidence = [{ quote: '["milk"]' }]
      yield report('1-add-a-note', {
        evidence: [{ quote: 'added milk' }],
        checks: [{ n: 1, status: 'pass', evidence }],
      })
    },
  ),
}
