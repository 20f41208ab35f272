import { addNote, listNotes, byModel, report, run } from '../support/model.ts'

const evidence = ['list.txt']

export default byModel(
  'claude',
  'Tries each step, and writes the file that it cites with its own words.',
  function* ({ logFile }) {
    yield { kind: 'write', file: logFile.replace(/\.log\.md$/, '/list.txt'), content: '1 [ ] milk\n' }
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence })
    yield run('node notes.mjs list')
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
)
