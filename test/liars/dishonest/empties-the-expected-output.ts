import { addNote, byModel, report, run } from '../support/model.ts'

export default {
  front: ['cwd: temp'],
  spec: `# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".

\`\`\`text file=expected.txt
1 [ ] milk
\`\`\`

\`\`\`sh verify
node "$TESTDIR/notes.mjs" list | diff - expected.txt
\`\`\`
`,
  ...byModel('codex', 'Empties the file with the expected output.', function* () {
    yield run('echo added milk; : > expected.txt')
    yield report(addNote)
  }),
}
