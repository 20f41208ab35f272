import { addNote, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Empties the file with the expected output.',
  as: 'codex',
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
  script: model(function* () {
    yield run('echo added milk; : > expected.txt')
    yield report(addNote)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
