import { readForeignFile } from '../../system/files/read-file.ts'

const maxBytes = 512 * 1024 * 1024

/**
 * Lines of a spec that no product prints by chance: of five words and 20 characters at least, outside code fences. What
 * a product should print stands in fences or in a part of such a line.
 */
export function sentencesOf(specText: string): readonly string[] {
  const sentences = new Set<string>()
  let fence: string | undefined
  for (const line of specText.split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined
    else if (fence === undefined && isSentence(line.trim())) sentences.add(line.trim())
  }
  return [...sentences]
}

/** The text of a spec; nothing where it cannot be read. */
export function readSpecText(specFile: string): string {
  // It may be gone, or a pipe by now: the agent cannot read it either.
  return readForeignFile(specFile, maxBytes)?.toString('utf8') ?? ''
}

function isSentence(line: string): boolean {
  return line.length >= 20 && line.split(/\s+/).length >= 5
}
