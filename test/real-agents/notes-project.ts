/** A small program, its spec, and a broken version of it. */
export const spec = `# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".

## List the notes

Run \`node notes.mjs list\`.

- [ ] It prints "milk"
- [ ] It does not print "eggs"
`

export const steps = [
  { id: '1-add-a-note', title: 'Add a note', checks: 0 },
  { id: '2-list-the-notes', title: 'List the notes', checks: 2 },
]

export const rightProgram = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const [command, note] = process.argv.slice(2)
const notes = existsSync('notes.json') ? JSON.parse(readFileSync('notes.json', 'utf8')) : []
if (command === 'add') {
  writeFileSync('notes.json', JSON.stringify([...notes, note]))
  console.log('added ' + note)
} else {
  for (const each of notes) console.log(each)
}
`

/** Says that it added the note and forgets it. */
export const brokenProgram = rightProgram.replace('JSON.stringify([...notes, note])', "'[]'")
