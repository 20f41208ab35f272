import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The notes in one JSON file. A file that does not exist yet holds none. */
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
      // Renamed into place, so that an interrupted write never leaves half a file.
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
