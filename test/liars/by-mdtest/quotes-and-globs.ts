import { listNotes, addNote, byModel, report, run } from '../support/model.ts'
import { rule } from '../support/notes.ts'

export default {
  front: [rule],
  spec: `# Notes

## Add a note

Add a note whose text is \`buy "oat" milk; it's 2 $\`.

## List the notes

It is listed to the letter.

- [ ] \`node notes.mjs list\` shows it
- [ ] A file with the ending \`.json\` holds it
`,
  ...byModel('codex', 'Gives the product words with blanks and quotes, and looks at files by patterns.', function* () {
    yield run(`node notes.mjs add 'buy "oat" milk; it'"'"'s 2 $'`)
    yield report(addNote, { checks: [], evidence: [{ quote: `added buy "oat" milk; it's 2 $` }] })
    yield run('node notes.mjs list')
    yield run('ls *.{mjs,json}; for f in *.json; do echo "== $f"; cat "$f"; done')
    yield run("grep -l 'oat' -- *.json | xargs -r cat; find . -maxdepth 1 -name '*.js*' -type f")
    yield run(`[[ "$(node notes.mjs list)" == *'"oat"'* ]] && echo found || echo missing`)
    yield run('cat notes.json')
    yield report(listNotes, {
      checks: [
        { n: 1, status: 'pass', evidence: [{ quote: `1 [ ] buy "oat" milk; it's 2 $` }] },
        { n: 2, status: 'pass', evidence: [{ quote: String.raw`["buy \"oat\" milk; it's 2 $"]` }] },
      ],
    })
  }),
}
