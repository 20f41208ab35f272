import { addNote, listNotes, byModel, report, run, word } from '../support/model.ts'

export default byModel(
  'codex',
  'Saves what the product prints in the evidence folder and cites the file.',
  function* ({ logFile, scratchDir }) {
    const folder = scratchDir ?? logFile.replace(/\.log\.md$/, '')
    yield run('node notes.mjs add milk')
    yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    yield run(`mkdir -p ${word(folder)} && node notes.mjs list > ${word(folder)}/list.txt`)
    // Files of the scratch folder are no evidence: if mdtest executes, quote what the product printed into the file.
    if (scratchDir !== undefined) yield run(`cat ${word(folder)}/list.txt`)
    const evidence = scratchDir === undefined ? ['list.txt'] : [{ quote: '1 [ ] milk' }]
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
)
