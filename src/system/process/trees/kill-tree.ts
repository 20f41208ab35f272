import type { InheritedLimit } from './inherited-limit.ts'
import { killTrees } from './kill-trees.ts'

/** One command with everything it started. */
export interface Tree {
  /** Process id of the command, which was started detached. Without one only the mark counts. */
  readonly pid: number | undefined
  /** From `readStartTime` right after the start: guards against a later process with the same id. */
  readonly startTime?: string | undefined
  readonly limit?: InheritedLimit | undefined
  /** The mark that this command, and nothing else, carries in `MDTEST_MARKS`. */
  readonly mark: string
}

/**
 * Ends a command's whole process tree: SIGTERM, up to `graceMs` (milliseconds, from 0), SIGKILL. Also for what is
 * left after a command ended by itself; quick (about 3 ms) when there is nothing. Never throws.
 */
export async function killTree({ graceMs, ...tree }: Tree & { readonly graceMs: number }): Promise<void> {
  const { pid, startTime, limit, mark } = tree
  const roots = pid === undefined ? [] : [{ pid, startTime, limit }]
  await killTrees({ roots, mark, since: startTime }, { graceMs })
}
