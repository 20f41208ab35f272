// Has a bug: `done` prints that a note is done, but does not save it.
import { readFileSync, writeFileSync } from 'node:fs'

const [command, text] = process.argv.slice(2)
const file = process.env.NOTES_FILE ?? 'notes.json'
const notes = command === 'add' ? [] : JSON.parse(readFileSync(file, 'utf8'))
if (command === 'add') {
  writeFileSync(file, JSON.stringify([{ text, done: false }]))
  console.log(`added 1: ${text}`)
}
if (command === 'done') console.log(`done ${text}: ${notes[Number(text) - 1].text}`)
if (command === 'list') console.log(notes.map((note, index) => `${index + 1} [ ] ${note.text}`).join('\n'))
