import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

export default {
  does: 'Saves what each step prints, reads the files again later, and names the step of what it quotes from before.',
  as: 'codex',
  script: model(function* ({ logFile }) {
    const folder = logFile.replace(/\.log\.md$/, '')
    yield run(`mkdir -p '${folder}' && node notes.mjs add milk | tee '${folder}/add.txt'`)
    yield report(addNote, { evidence: ['add.txt', { quote: 'added milk' }] })
    yield run(`node notes.mjs list > '${folder}/list.txt'`)
    yield run(`cat '${folder}/list.txt'`)
    const evidence = [{ quote: '1 [ ] milk' }, { quote: 'added milk', step: addNote }, 'list.txt']
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
