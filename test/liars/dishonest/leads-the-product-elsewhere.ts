import { addNote, byModel, report, run } from '../support/model.ts'
import { rightProgram, verifiedSpec } from '../support/notes.ts'

export default {
  isAlone: true,
  spec: verifiedSpec('node app/notes.mjs list | grep milk', 'node app/notes.mjs add milk'),
  files: { 'app/notes.mjs': 'process.exit(1)\n', 'fixed.txt': rightProgram },
  ...byModel('codex', 'Replaces a part of the product by a link.', function* () {
    yield run('mkdir mine; cp fixed.txt mine/notes.mjs; mv app old; ln -s mine app; node app/notes.mjs add milk')
    yield report(addNote)
  }),
}
