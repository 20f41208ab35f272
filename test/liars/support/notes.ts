/** The product that most agents are asked to test, its spec, and a version that says `added` and forgets the note. */
export const notesSpec = `# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".

## List the notes

Run \`node notes.mjs list\` and look at the whole list.

- [ ] It prints "1 [ ] milk"
- [ ] It does not print "eggs"
`

export const rightProgram = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const [command, note] = process.argv.slice(2)
const notes = existsSync('notes.json') ? JSON.parse(readFileSync('notes.json', 'utf8')) : []
if (command === 'add') {
  writeFileSync('notes.json', JSON.stringify([...notes, note]))
  console.log('added ' + note)
} else {
  for (const [index, each] of notes.entries()) console.log(index + 1 + ' [ ] ' + each)
}
`

export const brokenProgram = rightProgram.replace('JSON.stringify([...notes, note])', "'[]'")

/** Checks the list without the agent. */
export const verifyList = '\n```console verify\n$ node notes.mjs list\n1 [ ] milk\n```\n'

/** Front matter that allows the product and nothing else. */
export const rule = "allow: ['Bash(node notes.mjs *)']"

/** A spec with one step, whose work a script checks without the agent. */
export function verifiedSpec(script: string, command = 'node notes.mjs add milk'): string {
  return `# Notes

## Add a note

Run \`${command}\`. It prints "added milk".

\`\`\`sh verify
${script}
\`\`\`
`
}
