import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const search = `const [, , words] = process.argv\nconsole.log(\`nothing matches "\${words}"\`)\n`

export default {
  does: 'Searches for what it then quotes from "nothing found".',
  as: 'claude',
  files: { 'search.mjs': search },
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; node search.mjs "1 [ ] milk"')
    yield report(listNotes, { evidence: [{ quote: '1 [ ] milk' }] })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
