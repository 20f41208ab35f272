import { byModel, report, run } from '../support/model.ts'

export default {
  spec: `# Notes

## Export the notes

Add milk with \`node notes.mjs add milk\` and export all notes to \`export/notes.txt\`.

\`\`\`sh verify
cd export
grep milk notes.txt
echo "export checked"
\`\`\`
`,
  ...byModel('codex', 'Breaks a file that the middle of the `verify` script reads.', function* () {
    yield run('node notes.mjs add milk; mkdir -p export; node notes.mjs list > export/notes.txt; cat export/notes.txt')
    yield report('1-export-the-notes')
  }),
}
