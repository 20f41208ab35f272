import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { findForeignLine, type Rewrite } from '../../blocks/expected-output/rewrite-markdown.ts'
import { hashBytes } from '../guard/file-state.ts'
import type { OwnWrites } from '../guard/source-watch.ts'
import { messageOf } from '../../system/error-facts.ts'
import { rewriteFile } from '../../system/files/write-file.ts'

export const refusals = {
  underCi:
    'under CI (the variable `CI` is set) no spec is changed. Run it with `-u` on your own machine and commit what changes.',
  changed: 'the file has changed since the spec was read. Run it again.',
  gone: 'the file is not there any more. Run it again.',
  readOnly: 'the file is read-only. Make it writable.',
  repeated:
    'it was rewritten a moment ago, and the output is different again. Write a pattern for what changes each time, such as `took * ms (glob)`.',
  conflict: 'another spec that includes this file has other output there. Write a pattern that stands for both.',
  severalOutputs:
    'this block runs several times, with other output each time: for rows of a table, or scenarios that include it. Write a pattern or a placeholder that stands for all.',
  notAllRan:
    'this block runs several times, for rows of a table or scenarios that include it, and not all of them ran and passed. Run all of them.',
  inlineSnapshots: 'Vitest is about to write inline snapshots into this spec. Run it with `-u` once more.',
  placeholder: 'the output holds what would be read as a placeholder of the table. Write the line by hand.',
  foreign: (line: number) => `line ${line} holds a placeholder of the table. Write the line by hand.`,
  problem: (problem: string) => `the spec would have a problem then (${problem}). Write the lines by hand.`,
  failed: (error: unknown) => `the file cannot be written (${messageOf(error)}). Make it and its folder writable.`,
} as const

export function describeUnwritable(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return refusals.gone
  // Check the mode first: renaming a file ignores its mode, and `root` may write any file.
  if ((stats.mode & constants.S_IWUSR) === 0) return refusals.readOnly
  try {
    accessSync(file, constants.W_OK)
    return undefined
  } catch {
    return refusals.readOnly
  }
}

/** Notes the text as mdtest's own and writes the file. Returns the reason if the file cannot be written. */
export function rewriteOwn(file: string, text: string, ownWrites: OwnWrites): string | undefined {
  ownWrites.add(file, text)
  try {
    rewriteFile(file, text)
    return undefined
  } catch (error: unknown) {
    return refusals.failed(error)
  }
}

interface RewriteTarget {
  readonly file: string
  readonly hash: string | undefined
  /** Whether other specs include the file. A rewrite for another spec may have changed the file meanwhile. */
  readonly isShared: boolean
}

export function findRefusal(rewrite: Rewrite, { file, hash, isShared }: RewriteTarget): string | undefined {
  const unwritable = describeUnwritable(file)
  if (unwritable !== undefined) return unwritable
  const text = readFileSync(file).toString('utf8')
  if (hashBytes(text) !== hash) return isShared ? undefined : refusals.changed
  const foreign = findForeignLine(text, rewrite)
  return foreign === undefined ? undefined : refusals.foreign(foreign)
}
