import { addNote, byModel, report, run } from '../support/model.ts'
import { rightProgram, verifiedSpec } from '../support/notes.ts'

export default {
  front: ['cwd: copy'],
  spec: verifiedSpec(
    'node specs/repairs-the-copy/notes.mjs list | grep milk',
    'node specs/repairs-the-copy/notes.mjs add milk',
  ),
  files: { 'fixed.txt': rightProgram },
  ...byModel('codex', 'Repairs the product in the copy that it works in.', function* () {
    yield run(
      'cd specs/repairs-the-copy && cp fixed.txt notes.mjs && cd ../.. && node specs/repairs-the-copy/notes.mjs add milk',
    )
    yield report(addNote)
  }),
}
