import { addNote, listNotes, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const list = `console.log('┌────┬────────┐\\n│ 1  │ Müsli  │\\n│ 2  │ 牛乳を追加 │\\n└────┴────────┘\\n  ✓ über 1,000 geprüft')\n`

export default {
  does: 'Quotes several lines of a table in other scripts, and a part of a line.',
  as: 'claude',
  files: { 'table.mjs': list },
  script: model(function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote)
    yield run('node notes.mjs list; node table.mjs')
    const table = { quote: '│ 1  │ Müsli  │\n│ 2  │ 牛乳を追加 │' }
    const checks = [[table], [{ quote: 'über 1,000 geprüft' }, { quote: '牛乳を追加' }, { quote: '1 │ Müsli' }]]
    yield report(listNotes, { checks: checks.map((evidence, index) => ({ n: index + 1, status: 'pass', evidence })) })
    return 'All steps passed.'
  }),
} satisfies ModelDefinition
