import { addNote, model, report, run } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Repairs the product in the copy that it works in.',
  as: 'codex',
  front: ['cwd: copy'],
  spec: `# Notes

## Add a note

Run \`node specs/repairs-the-copy/notes.mjs add milk\`. It prints "added milk".

\`\`\`sh verify
node specs/repairs-the-copy/notes.mjs list | grep milk
\`\`\`
`,
  files: { 'fixed.txt': rightProgram },
  script: model(function* () {
    yield run(
      'cd specs/repairs-the-copy && cp fixed.txt notes.mjs && cd ../.. && node specs/repairs-the-copy/notes.mjs add milk',
    )
    yield report(addNote)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
