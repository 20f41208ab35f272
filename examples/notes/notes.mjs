#!/usr/bin/env node
// A notes program for the terminal: add, list, search, done, remove. Run it without arguments for help.
import { parseArgs } from 'node:util'
import { openStore } from './store.mjs'

const help = `Usage: node notes.mjs [--file FILE] COMMAND

  add TEXT      add a note
  list          show all notes
  search TEXT   show the notes that contain TEXT, in any case
  done NUMBER   tick a note off
  remove NUMBER delete a note; the notes after it move up

Notes are kept in FILE, else in $NOTES_FILE, else in notes.json.
Exit codes: 0 done, 1 not found or unreadable, 2 wrong use.`

/** An error that the user can fix, with its exit code. */
class NotesError extends Error {
  constructor(exitCode, message) {
    super(message)
    this.exitCode = exitCode
  }
}

const commands = {
  add(store, [text, ...rest]) {
    if (text === undefined || text.trim() === '') throw new NotesError(2, 'add needs the text of the note')
    if (rest.length > 0) throw new NotesError(2, 'add takes one text: put it in quotes')
    const notes = [...store.read(), { text: text.trim(), done: false }]
    store.write(notes)
    return `added ${notes.length}: ${text.trim()}`
  },

  list(store) {
    return formatNotes(numbered(store.read())) || 'no notes'
  },

  search(store, [text = '']) {
    if (text === '') throw new NotesError(2, 'search needs a text')
    const found = numbered(store.read()).filter((note) => note.text.toLowerCase().includes(text.toLowerCase()))
    if (found.length === 0) throw new NotesError(1, `no note contains "${text}"`)
    return formatNotes(found)
  },

  done(store, [number]) {
    const notes = store.read()
    const index = findIndex(notes, number)
    store.write(notes.map((note, i) => (i === index ? { ...note, done: true } : note)))
    return `done ${index + 1}: ${notes[index].text}`
  },

  remove(store, [number]) {
    const notes = store.read()
    const index = findIndex(notes, number)
    store.write(notes.filter((_note, i) => i !== index))
    return `removed ${index + 1}: ${notes[index].text}`
  },
}

process.exitCode = main(process.argv.slice(2))

function main(args) {
  try {
    const { file, command, operands } = parse(args)
    if (command === undefined) {
      console.log(help)
      return 0
    }
    if (!Object.hasOwn(commands, command)) throw new NotesError(2, `unknown command "${command}"`)
    console.log(commands[command](openStore(file), operands))
    return 0
  } catch (error) {
    console.error(`notes: ${error.message}`)
    return error.exitCode ?? 1
  }
}

function parse(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: { file: { type: 'string' } }, allowPositionals: true })
    const [command, ...operands] = positionals
    return { file: values.file ?? process.env.NOTES_FILE ?? 'notes.json', command, operands }
  } catch (error) {
    throw new NotesError(2, error.message)
  }
}

function findIndex(notes, number) {
  if (number === undefined || !/^[1-9]\d*$/.test(number)) {
    throw new NotesError(2, `expected the number of a note, got "${number ?? ''}"`)
  }
  if (Number(number) > notes.length) throw new NotesError(1, `there is no note ${number}`)
  return Number(number) - 1
}

function numbered(notes) {
  return notes.map((note, index) => ({ ...note, number: index + 1 }))
}

function formatNotes(notes) {
  return notes.map(({ number, text, done }) => `${number} [${done ? 'x' : ' '}] ${text}`).join('\n')
}
