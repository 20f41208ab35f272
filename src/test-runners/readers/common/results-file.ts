import { readFile, stat } from 'node:fs/promises'

/** More than any runner writes for some ten thousand tests. */
const maxBytes = 128 * 1024 * 1024

/** Text of a file that a runner wrote, or `undefined` where it cannot be had. */
export async function readResultsFile(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file)
    return found.isFile() && found.size <= maxBytes ? await readFile(file, 'utf8') : undefined
  } catch {
    // Missing or unreadable: the run came to no result.
    return undefined
  }
}

/** Value of a JSON text; `undefined` where it is none, such as the start of one. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
