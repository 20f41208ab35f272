import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Stores notes in one JSON file. A missing file means that there are no notes. */
export function openStore(file) {
  return {
    read() {
      const text = readText(file)
      if (text === undefined) return []
      try {
        return JSON.parse(text)
      } catch {
        throw new Error(`${file} is not a notes file: it holds no JSON`)
      }
    },

    write(notes) {
      // Write a new file and rename it, so that an interrupted write never leaves half a file.
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, `${JSON.stringify(notes, null, 2)}\n`)
      renameSync(draft, file)
    },
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
