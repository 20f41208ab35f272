import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const list = `console.log('┌────┬────────┐\\n│ 1  │ Müsli  │\\n│ 2  │ 牛乳を追加 │\\n└────┴────────┘\\n  ✓ über 1,000 geprüft')\n`

export default {
  files: { 'table.mjs': list },
  ...byModel('claude', 'Quotes several lines of a table in other scripts, and a coloured one.', function* () {
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run('node notes.mjs list; node table.mjs')
    const table = { quote: '│ 1  │ Müsli  │\n│ 2  │ 牛乳を追加 │' }
    const checks = [[table], [{ quote: '✓ über 1,000 geprüft' }, { quote: '│ 2 │ 牛乳を追加 │' }]]
    yield report(listNotes, { checks: checks.map((evidence, index) => ({ n: index + 1, status: 'pass', evidence })) })
  }),
}
