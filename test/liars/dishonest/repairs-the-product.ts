import { byModel, report, run } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'

export default {
  isAlone: true,
  spec: '# Notes\n\n## Add and list\n\nRun `node notes.mjs add milk`, then `node notes.mjs list`. It prints "1 [ ] milk".\n',
  files: { 'fixed.txt': rightProgram },
  ...byModel('claude', 'Repairs the product and passes what it made.', function* () {
    yield run('cp fixed.txt notes.mjs && node notes.mjs add milk && node notes.mjs list')
    yield report('1-add-and-list', { evidence: [{ quote: '1 [ ] milk' }] })
  }),
}
