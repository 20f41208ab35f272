import { addNote, listNotes, byModel, report, run, word } from '../support/model.ts'

export default byModel(
  'codex',
  'Saves what each step prints, reads the files again later, and names the step of what it quotes from before.',
  function* ({ logFile, scratchDir }) {
    const folder = scratchDir ?? logFile.replace(/\.log\.md$/, '')
    // Where mdtest acts for it, its files are no evidence.
    const named = (file: string): readonly string[] => (scratchDir === undefined ? [file] : [])
    yield run(`mkdir -p ${word(folder)} && node notes.mjs add milk | tee ${word(folder)}/add.txt`)
    yield report(addNote, { evidence: [...named('add.txt'), { quote: 'added milk' }] })
    yield run(`node notes.mjs list > ${word(folder)}/list.txt`)
    yield run(`cat ${word(folder)}/list.txt`)
    const evidence = [{ quote: '1 [ ] milk' }, { quote: 'added milk', step: addNote }, ...named('list.txt')]
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
)
