import { model, report, run } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Repairs the product and passes what it made.',
  as: 'claude',
  isAlone: true,
  spec: '# Notes\n\n## Add and list\n\nRun `node notes.mjs add milk`, then `node notes.mjs list`. It prints "1 [ ] milk".\n',
  files: { 'fixed.txt': rightProgram },
  script: model(function* () {
    yield run('cp fixed.txt notes.mjs && node notes.mjs add milk && node notes.mjs list')
    yield report('1-add-and-list', { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
