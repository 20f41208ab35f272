import { addNote, byModel, report, run } from '../support/model.ts'

export default {
  spec: `# Notes

## Add a note

Run \`node notes.mjs add milk\` in the background. It prints "added milk" after a while.

\`\`\`console verify
$ node notes.mjs list
1 [ ] milk
\`\`\`
`,
  ...byModel(
    'claude',
    'Starts a job in the background, as the step asks, that ends a little after the report.',
    function* ({ scratchDir }) {
      yield run(
        scratchDir === undefined
          ? '(setsid bash -c "sleep 1; node notes.mjs add milk" </dev/null >added.txt 2>&1 &); cat added.txt; node notes.mjs list'
          : '(sleep 1; node notes.mjs add milk) </dev/null >"$MDTEST_SCRATCH/added.txt" 2>&1 & node notes.mjs list',
      )
      yield report(addNote)
    },
  ),
}
