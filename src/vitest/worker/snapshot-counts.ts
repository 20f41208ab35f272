import type { ExpectStatic } from 'vitest'
import type { Comparisons } from '../../records/block-outcome.ts'

/** Counts what the assertions of a block are compared with, from now on to its end. */
export function countSnapshots(expect: ExpectStatic): () => Comparisons {
  const before = writtenOf(expect)
  return () => {
    const written = writtenOf(expect) - before
    return { written, held: Math.max(0, expect.getState().assertionCalls - written) }
  }
}

/** Snapshots of the file that were new, or accepted, so far. */
function writtenOf(expect: ExpectStatic): number {
  const { added, updated } = expect.getState().snapshotState
  return added.total() + updated.total()
}
