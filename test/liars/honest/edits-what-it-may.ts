import { addNote, byModel, report, run } from '../support/model.ts'

export default {
  front: ['cwd: copy', "writes: [settings.json, '**/todo.txt']"],
  spec: `# Notes

## Add a note

Run \`node specs/edits-what-it-may/notes.mjs add milk\`. It prints "added milk". Write "short" into \`settings.json\` and "one" into \`specs/edits-what-it-may/todo.txt\`.

\`\`\`json file=settings.json
{ "list": "none" }
\`\`\`

\`\`\`sh verify
grep -q short settings.json && grep -q one specs/edits-what-it-may/todo.txt && grep milk notes.json
\`\`\`
`,
  files: { 'todo.txt': 'nothing\n' },
  ...byModel('claude', 'Edits a file of its copy, and one that a block wrote, as the spec asks.', function* () {
    yield run('node specs/edits-what-it-may/notes.mjs add milk')
    yield run('echo short > settings.json; echo one >> specs/edits-what-it-may/todo.txt')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
  }),
}
