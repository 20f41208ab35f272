import type { InheritedLimit } from './inherited-limit.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProcessCensus } from './process-census.ts'
import { createTreeTracker, type Trees, type TreeTracker } from './tree-tracker.ts'

/** A process that is being created while its parent is killed shows up in a later round. */
const maxRounds = 40

/** What it remembers is true for all of this process. */
const census = createProcessCensus()

/**
 * Ends process trees: SIGTERM once to each process, up to `graceMs` (milliseconds, from 0) for them to go, then
 * SIGKILL until nothing is left or a bounded number of rounds (about 1 s) is over. Never throws.
 *
 * Not found: on Linux a process that left its group and session and cleared its environment; on macOS one that
 * left its group after its parent was gone.
 */
export async function killTrees(trees: Trees, { graceMs }: { readonly graceMs: number }): Promise<void> {
  if (census.isEmpty(trees)) return
  const tracker = createTreeTracker(trees)
  const first = tracker.findAlive()
  if (first.length === 0) return
  if (graceMs > 0) {
    tracker.terminate(first)
    if (await areGoneWithin(tracker, graceMs)) return
  }
  for (let round = 0; round < maxRounds; round += 1) {
    if (tracker.kill()) return
    // First rounds at once, to outrun a chain of processes that replace themselves.
    await sleep(round < 5 ? 1 : 25)
  }
}

/**
 * The same without returning to the event loop, for `exit` handlers: SIGTERM and up to `graceMs` (milliseconds,
 * default 0: no SIGTERM), then SIGKILL. Bounded (about 0.2 s beyond the grace), never throws.
 */
export function killTreesNow(trees: Trees, { graceMs = 0 }: { readonly graceMs?: number } = {}): void {
  const tracker = createTreeTracker(trees)
  if (graceMs > 0) {
    tracker.terminate(tracker.findAlive())
    const deadlineMs = performance.now() + graceMs
    while (performance.now() < deadlineMs && tracker.findAlive().length > 0) pause(10)
  }
  for (let round = 0; round < maxRounds && !tracker.kill(); round += 1) pause(5)
}

async function areGoneWithin(tracker: TreeTracker, graceMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + graceMs
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 50)) {
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) return false
    await sleep(Math.min(pauseMs, leftMs))
    if (tracker.findAlive().length === 0) return true
  }
}

function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)
}

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
