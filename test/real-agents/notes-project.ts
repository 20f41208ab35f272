import { rightProgram as numberingProgram } from '../liars/support/notes.ts'

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

/** It lists notes without numbers. */
export const rightProgram = numberingProgram.replace("index + 1 + ' [ ] ' + each", 'each')

/** Says that it added the note and forgets it. */
export const brokenProgram = rightProgram.replace('JSON.stringify([...notes, note])', "'[]'")
