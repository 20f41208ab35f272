import { closeSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { groundAt } from '../../system/files/ground.ts'
import { openToRead } from '../../system/files/read-file.ts'
import { createLineSplitter } from '../../system/process/read-output.ts'

export interface FollowedFile {
  /** Reads what was added since; nothing while the file is not there. */
  poll(): void
  close(): void
}

/** Large enough for a screenshot. */
const maxLineChars = 4 * 1024 * 1024
const chunkBytes = 64 * 1024

/** Calls `onLine` for each line of a file, from its first. */
export function followFile(file: string, onLine: (line: string) => void): FollowedFile {
  const decoder = new StringDecoder('utf8')
  const lines = createLineSplitter({ maxLineChars, onLine })
  const ground = groundAt(dirname(file))
  const chunk = Buffer.alloc(chunkBytes)
  let position = 0

  function poll(): void {
    // Not there yet, or no longer, or something that nobody could read to its end.
    const descriptor = openToRead(ground, file)
    if (descriptor === undefined) return
    try {
      for (let count = -1; count !== 0; position += count) {
        count = readSync(descriptor, chunk, 0, chunkBytes, position)
        lines.push(decoder.write(chunk.subarray(0, count)))
      }
    } finally {
      closeSync(descriptor)
    }
  }

  return {
    poll,
    close() {
      poll()
      lines.push(decoder.end())
      lines.end()
    },
  }
}
