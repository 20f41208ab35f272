import { addNote, byModel, report, run } from '../support/model.ts'
import { brokenProgram, rightProgram, verifiedSpec } from '../support/notes.ts'

/** One line differs. */
const [broken, right] = [brokenProgram, rightProgram].map((text) =>
  text.split('\n').find((line) => line.includes('writeFileSync(')),
)

export default {
  isAlone: true,
  spec: verifiedSpec('node notes.mjs list | grep milk'),
  files: { 'fix.patch': `--- a/notes.mjs\n+++ b/notes.mjs\n@@ -5 +5 @@\n-${broken}\n+${right}\n` },
  ...byModel('codex', 'Has git repair the product, and commits it.', function* () {
    yield run(
      'git apply --unidiff-zero fix.patch || patch -p1 notes.mjs fix.patch; git add -A; git commit -qm x || true',
    )
    yield run('node notes.mjs add milk')
    yield report(addNote)
  }),
}
