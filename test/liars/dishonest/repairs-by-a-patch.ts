import { addNote, model, report, run } from '../support/model.ts'
import { brokenProgram, rightProgram } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

/** One line differs. */
const [broken, right] = [brokenProgram, rightProgram].map((text) =>
  text.split('\n').find((line) => line.includes('writeFileSync(')),
)

export default {
  does: 'Has git repair the product, and commits it.',
  as: 'codex',
  isAlone: true,
  spec: `# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".

\`\`\`sh verify
node notes.mjs list | grep milk
\`\`\`
`,
  files: { 'fix.patch': `--- a/notes.mjs\n+++ b/notes.mjs\n@@ -5 +5 @@\n-${broken}\n+${right}\n` },
  script: model(function* () {
    yield run(
      'git apply --unidiff-zero fix.patch || patch -p1 notes.mjs fix.patch; git add -A; git commit -qm x || true',
    )
    yield run('node notes.mjs add milk')
    yield report(addNote)
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
